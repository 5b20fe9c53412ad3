"""Forms sent after a log-out or a log-in in another tab: nothing is done, and what was entered is kept."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import ChatMessage, Game
from games.refusals import NotSeated
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/games/page/"}
PAGE = {"Referer": "http://testserver/games/page/"}
KEPT = "/accounts/kept/"
LOG_IN = "/accounts/login/?next=%2Faccounts%2Fkept%2F"


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob)


@pytest.fixture
def decider(game: Game) -> User:
    assert game.waiting_for
    return game.waiting_for


def log_out(client: Client) -> None:
    client.post("/accounts/logout/")


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.partition("<main")[2])).split())


def written_fields(page: str) -> dict[str, str]:
    """The texts of the form that sends what was kept, which its sender sees."""
    return dict(re.findall(r'<textarea [^>]*name="(\w+)"[^>]*>\n([^<]*)</textarea>', page))


def hidden_fields(page: str) -> dict[str, str]:
    """The other fields of the form that sends what was kept."""
    form = page.partition("<h1>")[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


def a_move(client: Client, game: Game) -> tuple[str, dict[str, str]]:
    """The address and the fields of a move."""
    [tile, *_] = re.findall(
        r'name="tile"\s+value="(\w+)"', client.get(game.get_absolute_url()).content.decode()
    )
    return reverse("move", args=[game.public_id, game.version + 1]), {"kind": "place", "tile": tile}


def test_move_sent_while_logged_out_is_kept_over_the_log_in(game: Game, decider: User) -> None:
    client = client_of(decider)
    address, move = a_move(client, game)
    log_out(client)
    answer = client.post(address, move, headers={**HTMX, "X-Account": str(decider.pk)})
    assert answer.headers["HX-Redirect"] == LOG_IN
    page = words(client.get(LOG_IN).content.decode())
    assert wording.LOGGED_OUT_NOTHING_SENT in page
    assert "no seat" not in page and move["tile"] not in page
    game.refresh_from_db()
    assert game.version == 0

    client.force_login(decider)
    page = client.get(KEPT).content.decode()
    assert wording.LOGGED_IN_AS % {"me": decider} in words(page)
    assert client.get(f"{KEPT}?back").headers["Location"] == "/games/page/"
    sent = hidden_fields(page)
    assert {name: sent[name] for name in move} == move
    assert client.post(address, sent).status_code == 302
    game.refresh_from_db()
    assert game.version == 1
    assert client.get(KEPT).headers["Location"] == "/", "what is sent is not kept any longer"


def test_plain_form_sent_while_logged_out_is_kept_too(game: Game, decider: User) -> None:
    client = client_of(decider)
    log_out(client)
    form = {"text": "Well played", "page_account": str(decider.pk)}
    answer = client.post(reverse("chat", args=[game.public_id]), form, headers=PAGE)
    assert answer.headers["Location"] == LOG_IN
    client.force_login(decider)
    page = client.get(KEPT).content.decode()
    assert written_fields(page) == {"text": "Well played"}
    client.post(reverse("chat", args=[game.public_id]), {**hidden_fields(page), **written_fields(page)})
    assert ChatMessage.objects.get().text == "Well played"


@pytest.mark.parametrize("route", ["move", "advice", "orders", "plan", "chat", "take-back"])
def test_no_form_of_the_table_says_that_there_is_no_seat(route: str, game: Game, decider: User) -> None:
    arguments = [game.public_id, *([1] if route in ("move", "advice", "take-back") else [])]
    for headers in ({}, HTMX):
        answer = Client().post(reverse(route, args=arguments), {"a": "b"}, headers=headers)
        where = answer.headers.get("HX-Redirect") or answer.headers.get("Location", "")
        assert where.startswith("/accounts/login/"), route


def test_another_account_learns_nothing_of_what_was_kept(game: Game, decider: User, carol: User) -> None:
    client = client_of(decider)
    address, move = a_move(client, game)
    log_out(client)
    client.post(address, move, headers={**HTMX, "X-Account": str(decider.pk)})
    client.force_login(carol)
    page = client.get(KEPT).content.decode()
    assert (
        "You are logged in as carol, but you opened that page while logged in to another account."
        in words(page)
    )
    assert move["tile"] not in words(page)
    assert "tile" not in hidden_fields(page)
    assert client.post("/accounts/switch/", {"next": KEPT}).headers["Location"] == LOG_IN
    client.force_login(decider)
    assert hidden_fields(client.get(KEPT).content.decode())["tile"] == move["tile"]


def test_form_of_nobody_known_is_not_kept(game: Game, decider: User) -> None:
    client = Client()
    answer = client.post(reverse("chat", args=[game.public_id]), {"text": "Hello"}, headers=PAGE)
    assert answer.headers["Location"] == "/accounts/login/?next=%2Fgames%2Fpage%2F"
    client.force_login(decider)
    assert client.get(KEPT).headers["Location"] == "/"


def test_password_is_never_kept(decider: User) -> None:
    client = Client()
    form = {"password": "a secret", "page_account": str(decider.pk)}
    client.post("/settings/delete/", form)
    assert "kept_form" not in client.session


# -- Back without sending ------------------------------------------------------------------------------


def went_back(user: User, address: str, form: dict[str, str], page: str = "") -> tuple[Client, str]:
    """Send a form while logged out, log in, and go back without sending it; return that page."""
    client = Client()
    referer = {"Referer": f"http://testserver{page or address}"}
    answer = client.post(address, {**form, "page_account": str(user.pk)}, headers=referer)
    assert answer.headers["Location"] == LOG_IN
    client.force_login(user)
    assert f'href="{KEPT}?back">Go back without sending' in client.get(KEPT).content.decode()
    answer = client.get(f"{KEPT}?back", follow=True)
    assert answer.redirect_chain[-1] == (page or address, 302)
    return client, answer.content.decode()


@pytest.mark.parametrize("page", ["chat", "game"])
def test_message_is_in_its_field_again_once(page: str, game: Game, alice: User) -> None:
    chat, page = (reverse(route, args=[game.public_id]) for route in ("chat", page))
    client, shown = went_back(alice, chat, {"text": "Well played"}, page)
    assert 'value="Well played"' in shown
    assert "Well played" not in client.get(page).content.decode()
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("page", ["notes", "game"])
def test_notes_are_in_their_field_again_and_said_to_be_unsaved(page: str, game: Game, alice: User) -> None:
    notes, page = (reverse(route, args=[game.public_id]) for route in ("notes", page))
    client, shown = went_back(alice, notes, {"text": "Bob holds Tower", "version": "0"}, page)
    assert "Bob holds Tower</textarea>" in shown and "Not saved yet" in shown
    assert page == notes or 'notes" open>' in shown
    assert "Bob holds Tower" not in client.get(page).content.decode()


def test_report_is_in_its_fields_again(game: Game, alice: User, bob: User) -> None:
    address = reverse("report-player", args=["bob"])
    _, shown = went_back(alice, address, {"trouble": "cheating", "reason": "They talk by telephone."})
    assert "They talk by telephone.</textarea>" in shown
    assert '<option value="cheating" selected>' in shown


def test_reason_of_a_staff_action_is_in_its_field_again(bob: User) -> None:
    vera = User.objects.create_superuser("vera")
    address = reverse("admin:accounts_user_act", args=[bob.pk, "warn"])
    client = client_of(vera)
    session = client.session
    kept = {
        "path": address,
        "fields": {"reason": ["A long story."]},
        "page": address,
        "account": str(vera.pk),
    }
    session["kept_form"] = kept
    session.save()
    assert "A long story.</textarea>" in client.get(f"{KEPT}?back", follow=True).content.decode()


def test_another_account_goes_back_to_nothing(game: Game, alice: User, bob: User) -> None:
    client = Client()
    client.post(reverse("chat", args=[game.public_id]), {"text": "Hello", "page_account": str(alice.pk)})
    client.force_login(bob)
    assert client.get(f"{KEPT}?back").status_code == 200
    assert "Hello" not in client.get(reverse("chat", args=[game.public_id])).content.decode()


# -- A log-in in another tab ---------------------------------------------------------------------------


def pressed_in_an_old_tab(owner: User, now: User, game: Game, **headers: str) -> tuple[Client, str]:
    """Send a message from a page of the owner after another log-in; return where the answer leads."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    token = client.get(game.get_absolute_url()).context["csrf_token"]
    client.force_login(now)
    client.cookies["csrftoken"] = "a" * 32
    headers = {**HTMX, "X-CSRFToken": str(token), "X-Account": str(owner.pk), **headers}
    answer = client.post(reverse("chat", args=[game.public_id]), {"text": "Hello"}, headers=headers)
    return client, answer.headers.get("HX-Redirect", str(answer.status_code))


def test_form_from_before_the_same_log_in_is_kept(game: Game, alice: User) -> None:
    client, where = pressed_in_an_old_tab(alice, alice, game, Origin="http://testserver")
    assert where == KEPT
    assert written_fields(client.get(KEPT).content.decode()) == {"text": "Hello"}


def test_form_of_the_account_before_is_not_sent_by_another(game: Game, alice: User, bob: User) -> None:
    client, where = pressed_in_an_old_tab(alice, bob, game, Origin="http://testserver")
    assert where == KEPT
    assert "Hello" not in client.get(KEPT).content.decode()
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://elsewhere.example"}, {"Origin": "null"}])
def test_form_of_another_site_is_refused_and_not_kept(
    game: Game, alice: User, origin: dict[str, str]
) -> None:
    client, where = pressed_in_an_old_tab(alice, alice, game, **origin)
    assert where == "403"
    assert "kept_form" not in client.session


def test_script_that_runs_by_itself_is_answered_as_before(game: Game) -> None:
    client = Client()
    client.post("/settings/browser/", {"page_account": "1"}, headers={"Sec-Fetch-Mode": "cors"})
    assert "kept_form" not in client.session


def test_open_page_is_not_replaced_by_that_of_another_account(game: Game, alice: User, bob: User) -> None:
    table = reverse("table", args=[game.public_id])
    told = {"HX-Request": "true", "X-Account": str(alice.pk)}
    assert client_of(alice).get(table, headers=told).status_code == 200
    for client in (client_of(bob), client_of()):
        answer = client.get(table, headers=told)
        assert (answer.status_code, answer.headers["Content-Type"]) == (401, "text/plain; charset=utf-8")
        assert answer.content.decode() == "You have logged in or out since you opened this page. Reload it."


def test_member_without_a_seat_is_told_why_a_move_is_refused(game: Game, carol: User) -> None:
    answer = client_of(carol).post(reverse("move", args=[game.public_id, 1]), {"kind": "place", "tile": "1A"})
    assert answer.status_code == 403
    assert str(NotSeated.message) in words(answer.content.decode())
