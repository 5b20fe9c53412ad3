"""Choices about notifications, links in mails that stop them, and reports by mail servers."""

import hmac
import io
import json
import zipfile
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from accounts.mail.addresses import confirmed_addresses
from accounts.membership.account_deletion import delete_account
from accounts.models import User
from accounts.privacy.account_data import personal_data_zip
from accounts.signals import member_leaving
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join
from games.models import (
    Channel,
    DeliveryAttempt,
    Endpoint,
    GameNotificationLevel,
    Invitation,
    Kind,
    MutedKind,
    Notification,
    UnsubscribedAddress,
)
from games.notifications import delivery_history, endpoints, preferences
from games.notifications.outbox import settle
from games.play import page_presence
from games.privacy import retention
from games.web.notifications import public_http, unsubscribe, web_push
from tests.notifications.conftest import NOON, rows
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on
from tests.support.htmx import HTMX
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db


@pytest.fixture
def stranger() -> Client:
    """A browser that follows a link in a mail: without session and form token."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def member(alice: User) -> Client:
    client = client_of(alice)
    return client


@pytest.fixture
def public_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resolve every name to a public address."""
    monkeypatch.setattr(public_http, "check_name", lambda host, port: "8.8.8.8")


def said(client: Client) -> str:
    """Messages that the next page shows."""
    return client.get(reverse("settings")).content.decode()


# -- Unsubscribing ---------------------------------------------------------------------------------------


def path(address: str) -> str:
    return address.removeprefix("http://localhost:8000")


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("scope", [unsubscribe.GAME, unsubscribe.KIND, unsubscribe.ALL])
def test_opening_the_link_stops_nothing(
    method: str, scope: str, stranger: Client, start: NewGame, alice: User
) -> None:
    of = {
        unsubscribe.GAME: start(alice, "random").public_id,
        unsubscribe.KIND: Kind.DECISION,
        unsubscribe.ALL: "",
    }
    answer = getattr(stranger, method)(path(unsubscribe.link(scope, user=alice, of=of[scope])))
    assert answer.status_code == 200
    assert not GameNotificationLevel.objects.exists()
    assert not MutedKind.objects.exists()
    assert changed(alice).mail_mode == User.MailMode.DELAYED


def one_click(client: Client, address: str) -> int:
    """POST as mail programs do."""
    body = "List-Unsubscribe=One-Click"
    return client.post(path(address), body, content_type="application/x-www-form-urlencoded").status_code


def test_one_click_stops_a_game(stranger: Client, start: NewGame, alice: User) -> None:
    game, other = start(alice, "random"), start(alice, "random")
    Notification.objects.all().delete()
    assert one_click(stranger, unsubscribe.link(unsubscribe.GAME, user=alice, of=game.public_id)) == 200
    for told in (game, other):
        play_on(told, 20)
    assert {row.game for row in rows()} == {other}


def test_one_click_stops_a_kind(stranger: Client, alice: User) -> None:
    assert one_click(stranger, unsubscribe.link(unsubscribe.KIND, user=alice, of=Kind.JOINED)) == 200
    muted = MutedKind.objects.filter(user=alice).values_list("kind", "channel")
    assert set(muted) == {(Kind.JOINED, channel) for channel in Channel}


def test_one_click_stops_all_mail_even_of_games_always_told(
    stranger: Client, start: NewGame, alice: User
) -> None:
    game = start(alice, "random")
    preferences.set_game_level(alice, game, GameNotificationLevel.Level.ALWAYS)
    Notification.objects.all().delete()
    address = unsubscribe.link(unsubscribe.ALL, user=alice)
    assert [one_click(stranger, address) for _ in range(2)] == [200, 200]
    play_on(game, 20)
    assert rows() == []


def test_address_without_a_member_is_closed(stranger: Client) -> None:
    assert one_click(stranger, unsubscribe.link(unsubscribe.ALL, address="carol@mail.example")) == 200
    assert UnsubscribedAddress.objects.get().address == "carol@mail.example"


def test_address_closed_twice_at_once_is_closed_once(
    stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both requests find no row yet."""
    monkeypatch.setattr(QuerySet, "exists", lambda _: False)
    preferences.unsubscribe_address("carol@mail.example")
    preferences.unsubscribe_address("Carol@mail.example")
    assert settle.stop_mail("CAROL@mail.example", "550 no such mailbox") is False
    [closed] = UnsubscribedAddress.objects.all()
    assert (closed.address, closed.reason) == ("carol@mail.example", "asked for")


def test_altered_link_stops_nothing(stranger: Client, alice: User, bob: User) -> None:
    token = path(unsubscribe.link(unsubscribe.ALL, user=alice)).split("/")[3]
    forged = path(unsubscribe.link(unsubscribe.ALL, user=bob)).split("/")[3].split(":")[0]
    for bad in (token[:-1], token + "x", forged + ":" + token.split(":", 1)[1], "nonsense"):
        assert stranger.post(reverse("stop-mail", args=[bad])).status_code == 404
        assert stranger.get(reverse("stop-mail", args=[bad])).status_code == 404
    assert {user.mail_mode for user in User.objects.all()} == {User.MailMode.DELAYED}


def test_link_works_after_years(stranger: Client, alice: User, clock: Any) -> None:
    address = unsubscribe.link(unsubscribe.ALL, user=alice)
    clock.move_to(NOON.replace(year=2036))
    assert one_click(stranger, address) == 200


def test_page_asks_and_offers_to_stop_everything(stranger: Client, start: NewGame, alice: User) -> None:
    game = start(alice, "random")
    page = stranger.get(
        path(unsubscribe.link(unsubscribe.GAME, user=alice, of=game.public_id))
    ).content.decode()
    assert f"{wording.STOP_THESE_NOTIFICATIONS} </button>" in " ".join(page.split())
    assert path(unsubscribe.link(unsubscribe.ALL, user=alice)) in page


# -- Bounce reports ----------------------------------------------------------------------------------------

KEY = "a key that only we two know"


def report(client: Client, body: object, *, key: str = KEY, signature: str | None = None) -> int:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    signed = f"sha256={hmac.new(key.encode(), text, sha256).hexdigest()}"
    return client.post(
        reverse("mail-bounces"),
        text,
        content_type="application/json",
        headers={"X-Signature": signed if signature is None else signature},
    ).status_code


@pytest.fixture
def bounce_key(settings: Any) -> None:
    settings.MAIL_BOUNCE_KEY = KEY


@pytest.mark.usefixtures("bounce_key")
def test_signed_report_stops_mail_to_the_address(stranger: Client, alice: User, bob: User) -> None:
    body = {"address": "ALICE@mail.example", "reason": "mailbox is full for ever"}
    assert report(stranger, body) == 204
    assert changed(alice).mail_stopped == "mailbox is full for ever"
    assert changed(bob).mail_stopped == ""


@pytest.mark.usefixtures("bounce_key")
def test_report_may_contain_several_addresses(stranger: Client, alice: User, bob: User) -> None:
    assert report(stranger, [{"address": f"{name}@mail.example"} for name in ("alice", "bob")]) == 204
    assert changed(alice).mail_stopped
    assert changed(bob).mail_stopped


@pytest.mark.usefixtures("bounce_key")
@pytest.mark.parametrize("signature", ["", "sha256=", "sha256=00", "sha1=abc", "ünsinn"])
def test_report_without_the_right_signature_is_refused(signature: str, stranger: Client, alice: User) -> None:
    assert report(stranger, {"address": "alice@mail.example"}, signature=signature) == 403
    assert report(stranger, {"address": "alice@mail.example"}, key="a guess") == 403
    assert changed(alice).mail_stopped == ""


@pytest.mark.usefixtures("bounce_key")
@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"\xff", {}, [], {"address": 5}, {"address": ""}, [1], {"address": "a", "reason": 1}),
        *({"address": "a\0b@mail.example"}, {"address": "\ud800"}, {"address": "a" * 300}),
        *(
            {"address": "a@mail.example", "reason": "full\0"},
            {"address": "a@mail.example", "reason": "\udfff"},
        ),
    ],
)
def test_invalid_report_is_refused_with_a_message(body: object, stranger: Client) -> None:
    assert report(stranger, body) in {204 if body == [] else 400}


@pytest.mark.usefixtures("bounce_key")
def test_form_is_no_report(stranger: Client) -> None:
    assert stranger.post(reverse("mail-bounces"), {"address": "alice@mail.example"}).status_code == 400


def test_reports_are_refused_without_a_key(stranger: Client, alice: User, settings: Any) -> None:
    settings.MAIL_BOUNCE_KEY = ""
    assert report(stranger, {"address": "alice@mail.example"}, key="") == 404
    assert changed(alice).mail_stopped == ""


def test_member_without_mail_reads_so_on_every_page(member: Client, alice: User) -> None:
    assert "Emails to you are bouncing" not in member.get("/").content.decode()
    changed(alice, mail_stopped="550 no such mailbox here")
    assert "Emails to you are bouncing" in member.get("/").content.decode()
    assert "550 no such mailbox here" in said(member)


# -- Settings --------------------------------------------------------------------------------------------


def test_one_choice_is_saved_and_taken_back_by_itself(member: Client, alice: User) -> None:
    preferences.set_wanted(alice, Kind.LATE, Channel.MAIL, wanted=False)
    before = delivery_history.wanted_kinds(alice)
    pressed = {"changed": "decision:browser"}
    answer = member.post(reverse("notice-kind"), {**pressed, "kinds": ["decision:mail"]}).content.decode()
    assert delivery_history.wanted_kinds(alice) == before - {(Kind.DECISION, Channel.BROWSER)}
    # Undo sends what the choice was.
    assert 'name="kinds" value="decision:browser"' in answer and "hx-swap-oob" not in answer
    undo = {**pressed, "kinds": ["decision:browser"], "undo": "on"}
    answer = member.post(reverse("notice-kind"), undo).content.decode()
    assert delivery_history.wanted_kinds(alice) == before
    assert 'id="kind-decision-browser"' in answer and "hx-swap-oob" in answer and "checked" in answer


def test_unknown_kind_changes_nothing(member: Client) -> None:
    member.post(reverse("notice-kind"), {"kinds": ["decision:mail"]})
    member.post(reverse("notice-kind"), {"changed": "decision:pigeon"})
    assert not MutedKind.objects.exists()


@pytest.mark.parametrize("level", GameNotificationLevel.Level.values)
def test_level_of_a_game_is_chosen_at_its_table(
    level: str, member: Client, start: NewGame, alice: User
) -> None:
    game = start(alice, "random")
    assert reverse("attention", args=[game.public_id]) in member.get(game.get_absolute_url()).content.decode()
    member.post(reverse("attention", args=[game.public_id]), {"level": level})
    assert preferences.game_level(alice, game) == level
    member.post(reverse("attention", args=[game.public_id]), {"level": "loudly"})
    assert preferences.game_level(alice, game) == level
    member.post(reverse("attention", args=[game.public_id]), {"level": ""})
    assert preferences.game_level(alice, game) == ""


def test_level_that_is_saved_at_once_offers_the_one_before(
    member: Client, start: NewGame, alice: User
) -> None:
    game = start(alice, "random")
    address = reverse("attention", args=[game.public_id])
    preferences.set_game_level(alice, game, GameNotificationLevel.Level.MUTE)
    answer = member.post(address, {"level": "always"}, **HTMX).content.decode()
    assert "Saved." in answer and 'name="level" value="mute"' in answer
    assert preferences.game_level(alice, game) == "always"
    answer = member.post(address, {"level": "mute", "undo": "on"}, **HTMX).content.decode()
    assert wording.CHANGE_UNDONE in answer and "hx-swap-oob" in answer and 'value="mute" selected' in answer
    assert member.post(address, {"level": "loudly"}, **HTMX).status_code == 422
    assert preferences.game_level(alice, game) == "mute"


def test_level_of_a_waiting_game_is_chosen_in_the_waiting_room(
    member: Client, alice: User, bob: User
) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    mine, other = (create_game(host=host, terms=terms) for host in (alice, bob))
    for game, offered in ((mine, True), (other, False)):
        page = member.get(game.get_absolute_url()).content.decode()
        assert (reverse("attention", args=[game.public_id]) in page) == offered


def test_spectator_has_no_choice(member: Client, start: NewGame, alice: User, bob: User) -> None:
    game = start(bob, "random")
    address = reverse("attention", args=[game.public_id])
    assert address not in member.get(game.get_absolute_url()).content.decode()
    assert member.post(address, {"level": "mute"}).status_code == 404


def test_mail_is_sent_and_listed(member: Client, alice: User) -> None:
    member.post(reverse("trial-mail"))
    assert [message.to for message in mail.outbox] == [["alice@mail.example"]]
    page = said(member)
    assert wording.EMAIL_IS_SENT in page
    assert wording.TEST_EMAIL in page
    assert "accepted" in page


def test_mails_are_limited(member: Client) -> None:
    for _ in range(15):
        answer = member.post(reverse("trial-mail"))
    assert len(mail.outbox) == 10
    assert (answer.status_code, answer["Retry-After"]) == (429, "3600")
    assert wording.TRIED_TOO_OFTEN in answer.content.decode()


def test_mail_needs_a_confirmed_address(member: Client) -> None:
    EmailAddress.objects.update(verified=False)
    assert reverse("trial-mail") not in said(member)
    member.post(reverse("trial-mail"))
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("notice-kind", []),
        ("trial-mail", []),
        ("add-webhook", []),
        ("add-browser", []),
        ("try-endpoint", [1]),
        ("remove-endpoint", [1]),
        ("attention", ["abc"]),
    ],
)
def test_guests_and_strangers_have_no_choices(
    name: str, arguments: list[object], member: Client, alice: User
) -> None:
    address = reverse(name, args=arguments)
    assert Client().post(address).status_code == 302
    assert member.get(address).status_code == 405
    changed(alice, is_guest=True)
    assert member.post(address).status_code == 403


# -- Endpoints ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("public_internet")
def test_webhook_is_added_tested_and_removed(
    member: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[str] = []

    def post(url: str, body: bytes, headers: object) -> int:
        posted.append(url)
        return 204

    monkeypatch.setattr(public_http, "post", post)
    url = "https://hooks.example/in"
    member.post(reverse("add-webhook"), {"kind": "discord", "url": url, "name": "Our club"})
    [hook] = Endpoint.objects.filter(user=alice)
    assert (hook.kind, hook.name, hook.url) == ("discord", "Our club", url)
    member.post(reverse("try-endpoint", args=[hook.pk]))
    assert posted == [url]
    assert "The server accepted the test message." in said(member)
    member.post(reverse("remove-endpoint", args=[hook.pk]))
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "url", ["http://hooks.example/", "https://127.0.0.1/", "https://localhost/in", "https://[::1]/", "hooks"]
)
def test_private_address_is_refused(url: str, member: Client) -> None:
    member.post(reverse("add-webhook"), {"kind": "json", "url": url})
    assert not Endpoint.objects.exists()
    assert "You cannot use this address" in said(member)


@pytest.mark.usefixtures("public_internet")
def test_browser_needs_valid_keys_and_is_no_webhook(member: Client, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = web_push.new_private_key()
    member.post(reverse("add-webhook"), {"kind": "push", "url": "https://push.example/1"})
    bad = {"url": "https://push.example/1", "public": "BAAA", "auth": "AAAA"}
    assert member.post(reverse("add-browser"), bad).status_code == 422
    assert not Endpoint.objects.exists()


@pytest.mark.usefixtures("public_internet")
def test_browser_belongs_to_its_last_user(member: Client, alice: User, bob: User, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = web_push.new_private_key()
    keys = {"public": web_push._public_key(web_push.new_private_key()), "auth": web_push.encode(bytes(16))}
    endpoints.add(bob, kind=Endpoint.Kind.PUSH, url="https://push.example/1", **keys)
    answer = member.post(reverse("add-browser"), {"url": "https://push.example/1", **keys})
    assert answer.status_code == 204
    assert [endpoint.user for endpoint in Endpoint.objects.all()] == [alice]


def test_web_push_is_not_offered_without_a_key(member: Client, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert "data-push" not in said(member)
    assert member.post(reverse("add-browser")).status_code == 404
    assert member.get("/push-worker.js").status_code == 404


def test_service_worker_is_served_from_the_root(member: Client, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = web_push.new_private_key()
    assert web_push.public_key() in said(member)
    answer = member.get("/push-worker.js")
    assert answer.headers["Content-Type"] == "text/javascript"
    assert b"showNotification" in answer.content


def test_settings_say_until_when_an_endpoint_is_left_alone(member: Client, alice: User) -> None:
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    assert "We will try again on" not in member.get(reverse("settings")).content.decode()
    Endpoint.objects.filter(pk=hook.pk).update(failures=4, trouble="500")
    failed = DeliveryAttempt.objects.create(user=alice, endpoint=hook, outcome=DeliveryAttempt.Outcome.FAILED)
    until = (failed.at + timedelta(hours=6)).astimezone(alice.tzinfo)
    shown = member.get(reverse("settings")).content.decode()
    assert f"We will try again on {until:%a} {until.day} {until:%b, %H:%M}" in shown


@pytest.mark.usefixtures("public_internet")
def test_endpoints_are_limited_to_ten(member: Client, alice: User) -> None:
    for number in range(12):
        member.post(reverse("add-webhook"), {"kind": "json", "url": f"https://hooks.example/{number}"})
    assert Endpoint.objects.filter(user=alice).count() == 10


def test_name_lookups_are_limited(member: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []

    def check_name(host: str, port: int) -> str:
        looked_up.append(host)
        raise public_http.ForbiddenAddress(f"{host} is not on the public internet.")

    monkeypatch.setattr(public_http, "check_name", check_name)
    for number in range(35):
        answer = member.post(reverse("add-webhook"), {"kind": "json", "url": f"https://h{number}.example/"})
    assert len(looked_up) == 30
    assert (answer.status_code, answer["Retry-After"]) == (429, "3600")
    assert wording.TRIED_TOO_OFTEN in answer.content.decode()


@pytest.mark.usefixtures("public_internet")
def test_message_counts_before_it_is_posted(
    member: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a slow server could be called without a limit."""
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    posted: list[int] = []

    def post(*_: object) -> int:
        """During the eighth and each later post, the user asks for the next one."""
        posted.append(len(posted))
        if 8 <= len(posted) < 15:
            member.post(reverse("try-endpoint", args=[hook.pk]))
        return 204

    monkeypatch.setattr(public_http, "post", post)
    for _ in range(8):
        member.post(reverse("try-endpoint", args=[hook.pk]))
    assert len(posted) == 10


def test_endpoint_of_another_user_cannot_be_changed(member: Client, bob: User) -> None:
    hook = endpoints.add(bob, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    for name in ("try-endpoint", "remove-endpoint"):
        assert member.post(reverse(name, args=[hook.pk])).status_code == 404
    assert Endpoint.objects.count() == 1


def test_owner_of_a_disabled_endpoint_reads_so(member: Client, alice: User) -> None:
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in", name="My lamp")
    settle.stop_endpoint(hook, "The server answered with status 410.")
    assert "no longer accepts notifications" in member.get("/").content.decode()
    page = said(member)
    assert "My lamp" in page
    assert "The server answered with status 410." in page


def test_successful_test_message_enables_the_endpoint_again(
    member: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    settle.stop_endpoint(hook, "The server answered with status 500.")
    monkeypatch.setattr(public_http, "post", lambda *_: 500)
    member.post(reverse("try-endpoint", args=[hook.pk]))
    assert Endpoint.objects.get().stopped is not None
    monkeypatch.setattr(public_http, "post", lambda *_: 200)
    member.post(reverse("try-endpoint", args=[hook.pk]))
    assert Endpoint.objects.get().stopped is None


# -- Deletion --------------------------------------------------------------------------------------------


def test_notifications_and_choices_are_deleted_with_the_account(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in")
    preferences.set_game_level(alice, game, GameNotificationLevel.Level.ALWAYS)
    preferences.mute_kind(alice, Kind.JOINED)
    settle.note_trial(alice, "Hello", DeliveryAttempt.Outcome.HANDED_OVER, address="alice@mail.example")
    before = len(rows(bob))
    member_leaving.send(sender=User, user=alice)
    for model in (Notification, Endpoint, GameNotificationLevel, MutedKind, DeliveryAttempt):
        assert not model.objects.filter(user=alice).exists()
    assert len(rows(bob)) >= before
    assert hook.pk


def test_mails_to_an_address_are_deleted_with_its_owner(alice: User) -> None:
    address = confirmed_addresses().get(user=alice).email
    for to in (address.upper(), "carol@mail.example"):
        DeliveryAttempt.objects.create(address=to, outcome=DeliveryAttempt.Outcome.HANDED_OVER)
    retention.forget_user(alice)
    assert DeliveryAttempt.objects.get().address == "carol@mail.example"


def test_deleted_member_is_named_in_nobodys_mail(alice: User, bob: User) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    hosted = create_game(host=alice, terms=terms)
    join(game_id=hosted.pk, user=bob)
    theirs = create_game(host=bob, terms=terms)
    invite(game_id=theirs.pk, user=alice, by=bob)
    invite_address(game_id=theirs.pk, address="carol@mail.example", by=bob)
    named = [row.pk for row in rows(about="bob")]
    assert len(named) == 3
    delete_account(bob)
    assert rows(about="bob") == []
    assert {row.about for row in rows(pk__in=named)} == {changed(bob).username}


def test_old_rows_are_deleted_and_waiting_ones_kept(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    settle.note_trial(alice, "Hello", DeliveryAttempt.Outcome.HANDED_OVER)
    page_presence.mark_visible(alice.pk, game.pk, "tab")
    play_on(game, 1)
    waiting = rows(state="waiting")
    assert waiting and rows(state="dropped")
    clock.shift(timedelta(days=31))
    thrown = retention.delete_expired(NOON + timedelta(days=31))
    assert thrown == {
        "settled notifications": 1,
        "deliveries": 1,
        "invitations to mail addresses": 0,
        "looks at games": 1,
        "visits to games": 0,
        "settled reports": 0,
        "explorations": 0,
    }
    assert rows() == waiting


def test_invited_address_is_kept_for_a_month(clock: Any, alice: User, bob: User) -> None:
    game = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    invite_address(game_id=game.pk, address="carol@mail.example", by=alice)
    invite(game_id=game.pk, user=bob, by=alice)
    retention.delete_expired(NOON + timedelta(days=29))
    assert Invitation.objects.count() == 2
    retention.delete_expired(NOON + timedelta(days=31))
    assert Invitation.objects.get().user == bob


def test_personal_data_contain_notifications_and_choices(start: NewGame, alice: User) -> None:
    start(alice, "random")
    endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/in", auth="a secret key")
    archive = zipfile.ZipFile(io.BytesIO(personal_data_zip(alice)))
    text = archive.read("notifications.json").decode()
    assert "https://hooks.example/in" in text
    assert "a secret key" not in text


# -- The admin -------------------------------------------------------------------------------------------


@pytest.fixture
def admin(db: None) -> Client:
    client = client_of(User.objects.create_superuser("operator"))
    return client


@pytest.mark.parametrize("name", ["notification", "deliveryattempt", "endpoint", "unsubscribedaddress"])
def test_admin_shows_the_outcome_of_deliveries(name: str, admin: Client, start: NewGame, alice: User) -> None:
    start(alice, "random")
    hook = endpoints.add(alice, kind=Endpoint.Kind.JSON, url="https://hooks.example/secret", auth="key")
    settle.note_trial(alice, "Hello", DeliveryAttempt.Outcome.HANDED_OVER, endpoint=hook)
    preferences.unsubscribe_address("carol@mail.example")
    assert admin.get(reverse(f"admin:games_{name}_changelist")).status_code == 200
    page = admin.get(reverse("admin:games_endpoint_change", args=[hook.pk])).content.decode()
    assert "hooks.example/secret" not in page


def test_notification_given_up_can_be_sent_again(
    admin: Client, start: NewGame, alice: User, bob: User
) -> None:
    start(alice, bob)
    given_up, sent = rows()[:2]
    Notification.objects.filter(pk=given_up.pk).update(state=Notification.State.GIVEN_UP, attempts=5)
    Notification.objects.filter(pk=sent.pk).update(state=Notification.State.SENT)
    chosen = {"action": "send_once_more", "_selected_action": [given_up.pk, sent.pk]}
    assert admin.post(reverse("admin:games_notification_changelist"), chosen).status_code == 302
    given_up.refresh_from_db()
    sent.refresh_from_db()
    assert (given_up.state, given_up.attempts) == (Notification.State.WAITING, 0)
    assert sent.state == Notification.State.SENT


@pytest.mark.parametrize(
    "lookup", ["game__state__contains", "game__seed", "endpoint__auth", "user__password"]
)
def test_admin_lists_cannot_filter_by_secrets(lookup: str, admin: Client) -> None:
    address = reverse("admin:games_notification_changelist")
    assert admin.get(address, {lookup: "1A"}).status_code == 400
