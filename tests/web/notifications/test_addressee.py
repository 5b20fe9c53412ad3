"""Links of mails: what others than their addressee are told, and that a log-in leads back."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.mail.account_delivery import deliver_account_mail
from accounts.models import User
from games.lobby.invite import invite
from games.models import Endpoint, Game, Kind, Notification
from games.web.notifications.mail_sections import section
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.members import PASSWORD, code_in

pytestmark = pytest.mark.django_db

Asked = tuple[Game, User, User]


def link_to(member: User, kind: Kind = Kind.DECISION) -> str:
    """The link that the member is sent, without the address of the site."""
    row = Notification.objects.filter(user=member, kind=kind).select_related("game", "user").latest("pk")
    told = section([row], member)
    assert told is not None
    return told.url.removeprefix("http://localhost:8000")


def opened(client: Client, link: str) -> str:
    """The words in the main part of the page, with one blank between them."""
    page = client.get(link.partition("#")[0]).content.decode()
    words = re.sub(r"<[^>]*>", " ", page.partition("<main")[2])
    return re.sub(r"\s+([.?!,])", r"\1", " ".join(unescape(words).split()))


@pytest.fixture
def visitor() -> Client:
    return client_of()


def test_addressee_sees_the_game_under_its_usual_address(asked: Asked) -> None:
    game, decider, _ = asked
    link = link_to(decider)
    assert link == f"{game.get_absolute_url()}?for={decider}#headline"
    answer = client_of(decider).get(link.partition("#")[0])
    assert (answer.status_code, answer.headers["Location"]) == (302, game.get_absolute_url())


def test_other_parameters_stay_in_the_address(asked: Asked) -> None:
    game, decider, _ = asked
    answer = client_of(decider).get(f"{game.get_absolute_url()}?for={decider}&a=1")
    assert answer.headers["Location"] == f"{game.get_absolute_url()}?a=1"


def test_visitor_is_told_whose_turn_it_is(asked: Asked, visitor: Client) -> None:
    _, decider, _ = asked
    assert f"It is {decider}’s turn. Are you {decider}? Log in to make your move" in opened(
        visitor, link_to(decider)
    )


def test_log_in_leads_back_to_the_decision(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    decider.set_password(PASSWORD)
    decider.save()
    page = visitor.get(link_to(decider).partition("#")[0]).content.decode()
    back = f"{game.get_absolute_url()}?for={decider}#headline"
    assert f'href="/accounts/login/?{urlencode({"next": back})}"' in page
    answer = visitor.post("/accounts/login/", {"login": str(decider), "password": PASSWORD, "next": back})
    assert answer.headers["Location"] == back


def test_visitor_is_told_whose_link_it_is_when_nothing_is_asked(asked: Asked, visitor: Client) -> None:
    _, _, other = asked
    told = opened(visitor, link_to(other, Kind.STARTED))
    assert f"This link was sent to {other}. Are you {other}? Log in to see your seat" in told


def test_stranger_just_watches(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    told = opened(visitor, game.get_absolute_url())
    assert "Are you" not in told and "was sent to" not in told
    assert f"{decider}" in told


def test_another_account_is_told_who_should_open_the_link(asked: Asked) -> None:
    _, decider, other = asked
    told = opened(client_of(other), link_to(decider))
    assert f"It is {decider}’s turn, and this link was sent to {decider}." in told
    assert f"You are logged in as {other}. Log in as {decider}" in told


def test_button_logs_out_and_leads_back_by_the_log_in(asked: Asked) -> None:
    game, _, other = asked
    client, back = client_of(other), f"{game.get_absolute_url()}?for=x#headline"
    answer = client.post("/accounts/switch/", {"next": back})
    assert answer.headers["Location"].startswith("/accounts/login/?next=%2Fgames%2F")
    assert "_auth_user_id" not in client.session


def test_button_leads_to_no_other_site(asked: Asked) -> None:
    answer = client_of(asked[1]).post("/accounts/switch/", {"next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/accounts/login/"


def test_name_in_the_address_is_shown_only_if_it_is_at_the_table(asked: Asked, visitor: Client) -> None:
    game, _, _ = asked
    User.objects.create_user("mallory")
    for forged in ("mallory", "call-0800-free-money"):
        told = opened(visitor, f"{game.get_absolute_url()}?for={forged}")
        assert forged not in told
        assert "This link was sent to a member. Are you that member? Log in first" in told


# -- Codes from links ---------------------------------------------------------------------------------------

BUTTON = wording.EMAIL_A_LOGIN_CODE


def allow_codes(member: User) -> None:
    User.objects.filter(pk=member.pk).update(codes_from_links=True)
    member.refresh_from_db()


def test_links_bring_no_key_unless_the_member_has_allowed_it(asked: Asked, visitor: Client) -> None:
    _, decider, _ = asked
    assert "key=" not in link_to(decider)
    assert BUTTON not in opened(visitor, link_to(decider))


def test_link_offers_a_code_to_the_member_who_has_allowed_it(asked: Asked, visitor: Client) -> None:
    _, decider, _ = asked
    allow_codes(decider)
    told = opened(visitor, link_to(decider))
    assert f"It is {decider}’s turn. Are you {decider}?" in told
    assert BUTTON in told


def test_code_from_the_link_leads_to_the_decision(
    asked: Asked, visitor: Client, mailoutbox: list[EmailMessage]
) -> None:
    game, decider, _ = asked
    allow_codes(decider)
    form = hidden_fields(visitor.get(link_to(decider).partition("#")[0]).content.decode(), BUTTON)
    assert form["next"].endswith("#headline")
    answer = visitor.post("/accounts/login/code/mail/", form)
    deliver_account_mail(5)
    answer = visitor.post(answer.headers["Location"], {"code": code_in(mailoutbox[-1])})
    # Without the name and the key, which the member would pass on with the address.
    page = visitor.get(answer.headers["Location"].partition("#")[0])
    assert page.headers["Location"] == game.get_absolute_url()
    assert visitor.session["_auth_user_id"] == str(decider.pk)


def test_link_to_a_hidden_game_offers_a_code(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    allow_codes(decider)
    link = link_to(decider)
    Game.objects.filter(pk=game.pk).update(visibility="invited")
    assert BUTTON in opened(visitor, link)


def test_name_with_a_wrong_key_is_offered_nothing(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    allow_codes(decider)
    assert BUTTON not in opened(visitor, f"{game.get_absolute_url()}?for={decider}&key={'0' * 20}")


def test_messages_to_programs_bring_no_key(asked: Asked) -> None:
    _, decider, _ = asked
    allow_codes(decider)
    Endpoint.objects.create(user=decider, kind=Endpoint.Kind.JSON, url="https://hooks.example/")
    row = Notification.objects.filter(user=decider, kind=Kind.DECISION).latest("pk")
    row.endpoint = Endpoint.objects.get()
    told = section([row], decider)
    assert told is not None
    assert "key=" not in told.url


def test_another_member_who_is_logged_in_is_offered_no_code(asked: Asked) -> None:
    _, decider, other = asked
    allow_codes(decider)
    assert BUTTON not in opened(client_of(other), link_to(decider))


def hidden_fields(page: str, button: str) -> dict[str, str]:
    """The hidden fields of the form with this button."""
    [form] = [form for form in page.split("<form")[1:] if button in form.partition("</form>")[0]]
    form = form.partition("</form>")[0]
    found = re.findall(r'<input type="hidden"\s+name="(\w+)"\s+value="([^"]*)"', form)
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def test_link_to_an_invitation_names_no_member(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, visibility="invited")
    EmailAddress.objects.filter(user=alice).delete()
    invite(game_id=game.pk, user=bob, by=alice)
    link = link_to(bob, Kind.INVITATION)
    told = opened(client_of(), link)
    assert "This link was sent to a member." in told
    assert "bob" not in told


def test_visitor_cannot_tell_a_hidden_game_from_none(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    link = link_to(decider)
    Game.objects.filter(pk=game.pk).update(deleted=timezone.now())
    told = opened(visitor, link)
    assert "If someone sent you this link, log in first. Log in" in told
    assert told == opened(visitor, f"/games/nosuchgame/?for={decider}")


def test_link_to_the_chat_leads_through_the_log_in(asked: Asked, visitor: Client) -> None:
    game, decider, _ = asked
    answer = visitor.get(f"{game.get_absolute_url()}talk/?for={decider}")
    assert (
        answer.headers["Location"]
        == f"/accounts/login/?next={game.get_absolute_url()}talk/%3Ffor%3D{decider}"
    )
