"""Members report messages, persons, names and games, and hear of the outcome."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from games.chat.messages import say
from games.models import AbuseReport, Endpoint, Game, Kind, MutedKind, Notification
from games.models.abuse_report import ReportOutcome
from games.moderation import abuse_reports, report_claims
from games.moderation.abuse_reports import report_game, report_person
from games.privacy import retention
from games.refusals import EmptyMessage, MembersOnly, TextTooLong
from games.web.notifications import delivery, public_http
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end
from tests.support.mailboxes import with_mailbox

pytestmark = pytest.mark.django_db

NOON = "2031-05-17T12:00:00Z"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, terms={"visibility": "public", "name": "Friday"})


# -- Reporting -------------------------------------------------------------------------------------------


def test_each_member_reports_a_person_once_until_it_is_settled(alice: User, bob: User, carol: User) -> None:
    told: dict[str, Any] = {"person": bob, "user": alice, "trouble": "insult"}
    first = report_person(**told, reason="Rude.")
    assert report_person(**told, reason="Again.") == first
    second = report_person(**{**told, "user": carol})
    assert first.subject == second.subject
    assert (first.about, first.person, first.reason) == ("person", bob, "Rude.")
    report_claims.settle(first, by=None, outcome=ReportOutcome.NOTHING)
    assert report_person(**told).pk not in (first.pk, second.pk)


def test_report_of_a_name_is_separate_from_the_person_and_the_next_name(alice: User, bob: User) -> None:
    person = report_person(person=bob, user=alice, trouble="stalling")
    name = report_person(person=bob, user=alice, trouble="name")
    User.objects.filter(pk=bob.pk).update(username="bobby")
    bob.refresh_from_db()
    next_name = report_person(person=bob, user=alice, trouble="name")
    assert len({person.subject, name.subject, next_name.subject}) == 3
    assert (name.about, name.called, next_name.called) == ("name", "bob", "bobby")


def test_message_that_was_settled_is_not_reported_again(game: Game, alice: User, bob: User) -> None:
    line = say(game_id=game.pk, user=bob, text="you cheat")
    report = abuse_reports.report(line=line, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=ReportOutcome.KEPT)
    assert abuse_reports.report(line=line, user=alice) == report
    assert AbuseReport.objects.count() == 1


def test_other_trouble_needs_a_reason(game: Game, alice: User, bob: User) -> None:
    for send in (
        lambda: report_person(person=bob, user=alice, trouble="other", reason=" \u200b "),
        lambda: report_game(game=game, user=alice, trouble="other"),
    ):
        with pytest.raises(EmptyMessage):
            send()
    with pytest.raises(TextTooLong):
        report_game(game=game, user=alice, trouble="spam", reason="x" * 501)
    assert not AbuseReport.objects.exists()


def test_reports_per_day_are_limited(
    alice: User, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abuse_reports, "MAX_REPORTS", 2)
    people = [User.objects.create_user(f"spammer{number}") for number in range(3)]
    for person in people[:2]:
        report_person(person=person, user=alice, trouble="spam")
    report_person(person=people[0], user=alice, trouble="spam")
    answer = client_of(alice).post(reverse("report-player", args=["spammer2"]), {"trouble": "spam"})
    assert answer.status_code == 429
    assert "You have sent 2 reports today" in answer.content.decode()
    clock.shift(timedelta(days=1, seconds=1))
    report_person(person=people[2], user=alice, trouble="spam")


def test_guests_and_self_reports_are_refused(alice: User, guest: User, game: Game) -> None:
    with pytest.raises(MembersOnly):
        report_person(person=alice, user=guest, trouble="spam")
    with pytest.raises(MembersOnly):
        report_game(game=game, user=guest, trouble="spam")
    with pytest.raises(ValueError, match="themselves"):
        report_person(person=alice, user=alice, trouble="spam")


# -- Pages -----------------------------------------------------------------------------------------------


def test_member_page_has_a_report_form(alice: User, bob: User) -> None:
    client, report = client_of(alice), reverse("report-player", args=["bob"])
    assert report in client.get(reverse("player", args=["bob"])).content.decode()
    assert wording.ADVERTISING_OR_SPAM in client.get(report).content.decode()
    answer = client.post(report, {"trouble": "stalling", "reason": "He never moves."}, follow=True)
    assert wording.MODERATORS_WILL_LOOK in answer.content.decode()
    assert "advertis" not in answer.content.decode()
    assert AbuseReport.objects.get().category == "stalling"
    again = client.post(report, {"trouble": "stalling"}, follow=True)
    assert wording.ALREADY_REPORTED in again.content.decode()
    assert AbuseReport.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"reason": "my words"}, "Choose a reason."),
        ({"trouble": "x", "reason": "my words"}, "Choose a reason from the list."),
        ({"trouble": "spam", "reason": "my words" * 100}, "Shorten it to 500 characters"),
        ({"trouble": "other", "reason": ""}, str(EmptyMessage.message)),
    ],
)
def test_refused_report_keeps_the_input(alice: User, bob: User, form: dict[str, str], sentence: str) -> None:
    answer = client_of(alice).post(reverse("report-player", args=["bob"]), form)
    assert answer.status_code in (422, 409)
    page = answer.content.decode()
    assert sentence in page
    assert form["reason"] in page
    assert not AbuseReport.objects.exists()


def test_game_is_reported_from_its_page_and_its_waiting_room(
    game: Game, create: NewGame, alice: User, carol: User
) -> None:
    client = client_of(carol)
    for one in (game, create(alice)):
        address = reverse("report-game", args=[one.public_id])
        assert address in client.get(one.get_absolute_url()).content.decode()
        assert address not in Client().get(one.get_absolute_url()).content.decode()
        assert client.post(address, {"trouble": "cheating"})["Location"] == one.get_absolute_url()
    assert {report.game for report in AbuseReport.objects.all()} == {game, *Game.objects.exclude(pk=game.pk)}


def test_practice_table_cannot_be_reported(alice: User, bob: User) -> None:
    client = client_of(alice)
    people = {"who_1": "person", "name_1": "Ann", "who_2": "random"}
    begun = client.post(reverse("new-practice"), {"preset": "classic", **people})["Location"]
    table = Game.objects.get(is_practice=True)
    assert f"{begun}report/" not in client.get(begun).content.decode()
    assert client.get(reverse("report-game", args=[table.public_id])).status_code == 404


# -- Outcome ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (ReportOutcome.ACTED, wording.REPORT_WAS_ACTED_ON),
        (
            ReportOutcome.NOTHING,
            "Thank you for your report. We reviewed it and found that no rule was broken.",
        ),
    ],
)
def test_reporter_gets_a_mail_with_the_outcome(
    alice: User, bob: User, outcome: ReportOutcome, told: str
) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    report = report_person(person=bob, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=outcome, answer="Block him.")
    delivery.deliver(5)
    [letter] = mail.outbox
    assert letter.subject == "Your report has been reviewed"
    assert f"You reported bob. {told} Block him." in letter.body
    assert reverse("my-reports") in letter.body
    [html] = [str(part.content) for part in letter.alternatives]  # type: ignore[attr-defined]
    assert "View your reports" in html
    assert "View game" not in html
    page = client_of(alice).get(reverse("my-reports")).content.decode()
    assert told in page
    assert "Block him." in page


def test_outcomes_and_game_notifications_share_one_mail(
    game: Game, alice: User, bob: User, carol: User
) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    for person in (bob, carol):
        report = report_person(person=person, user=alice, trouble="insult")
        report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    say(game_id=game.pk, user=bob, text="@alice?")
    delivery.deliver(5)
    [letter] = mail.outbox
    assert "You reported bob." in letter.body
    assert "You reported carol." in letter.body
    assert "bob wrote in the chat" in letter.body


def test_member_who_muted_report_mail_gets_none(alice: User, bob: User) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    MutedKind.objects.create(user=alice, kind=Kind.REPORT)
    report = report_person(person=bob, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    assert not Notification.objects.filter(kind=Kind.REPORT).exists()
    assert "the moderators have reviewed one of my reports" in (
        client_of(alice).get(reverse("settings")).content.decode()
    )


def test_report_of_a_withheld_game_is_mailed_without_its_name(game: Game, alice: User, settings: Any) -> None:
    report_game(game=game, user=alice, trouble="spam")
    client = client_of(alice)
    assert "The game Friday" in client.get(reverse("my-reports")).content.decode()
    Game.all_games.filter(pk=game.pk).update(system="acquisition")
    settings.ACQUISITION_PERMISSION = ""
    page = client.get(reverse("my-reports")).content.decode()
    assert "Friday" not in page
    assert game.public_id not in page
    assert "<b>A game</b>" in page


def test_reported_member_learns_nothing(game: Game, alice: User, bob: User) -> None:
    with_mailbox(bob, mail_mode=User.MailMode.AT_ONCE)
    line = say(game_id=game.pk, user=bob, text="you cheat")
    Notification.objects.all().delete()
    for report in (
        abuse_reports.report(line=line, user=alice, trouble="insult"),
        report_person(person=bob, user=alice, trouble="insult"),
    ):
        report_claims.settle(report, by=None, outcome=ReportOutcome.ACTED)
    delivery.deliver(5)
    assert mail.outbox == []
    assert (
        "You have not reported anything. You can report"
        in client_of(bob).get(reverse("my-reports")).content.decode()
    )


# -- Retention -------------------------------------------------------------------------------------------


def test_settled_reports_are_kept_for_half_a_year(alice: User, bob: User) -> None:
    report = report_person(person=bob, user=alice, trouble="insult")
    later = timezone.now() + timedelta(days=181)
    assert retention.delete_expired(later)["settled reports"] == 0
    report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    assert retention.delete_expired(timezone.now() + timedelta(days=179))["settled reports"] == 0
    assert retention.delete_expired(later)["settled reports"] == 1


@pytest.mark.parametrize("leaves", ["alice", "bob"])
def test_reports_are_deleted_with_the_reporter_or_the_reported(alice: User, bob: User, leaves: str) -> None:
    report_person(person=bob, user=alice, trouble="insult")
    delete_account(User.objects.get(username=leaves))
    assert not AbuseReport.objects.exists()


def test_finished_game_can_be_reported(game: Game, alice: User) -> None:
    report = report_game(game=play_to_the_end(game), user=alice, trouble="cheating")
    assert report.subject == f"game {game.pk}"


def test_member_page_in_the_admin_shows_reports_without_reporters(alice: User, bob: User) -> None:
    report = report_person(person=bob, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    report_person(person=bob, user=alice, trouble="name")
    manager = User.objects.create_superuser("manager")
    page = client_of(manager).get(reverse("admin:accounts_user_change", args=[bob.pk])).content.decode()
    assert f"bob, {wording.INSULTS_OR_THREATS} (no rule broken)" in page
    assert "the name bob, an offensive or misleading name (open)" in page
    assert "alice" not in page


def test_reporter_does_not_read_the_name_of_a_deleted_game(game: Game, alice: User) -> None:
    report_game(game=game, user=alice, trouble="spam")
    Game.all_games.filter(pk=game.pk).update(deleted=timezone.now())
    page = client_of(alice).get(reverse("my-reports")).content.decode()
    assert "Friday" not in page
    assert "<b>A game</b>" in page


def test_webhook_gets_the_outcome_without_a_game(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, str]] = []

    def post(url: str, body: bytes, headers: Any) -> int:
        told.append(json.loads(body))
        return 204

    monkeypatch.setattr(public_http, "post", post)
    Endpoint.objects.create(user=alice, kind="json", url="https://hook.example/x")
    report = report_person(person=bob, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    delivery.deliver(5)
    [message] = told
    assert (message["kind"], message["game"]) == ("report", "")
    assert message["title"] == "Your report has been reviewed"
    assert urlsplit(message["url"]).path == reverse("my-reports")


def test_mail_about_a_report_says_how_to_stop_such_mail(alice: User, bob: User) -> None:
    with_mailbox(alice, mail_mode=User.MailMode.AT_ONCE)
    report = report_person(person=bob, user=alice, trouble="insult")
    report_claims.settle(report, by=None, outcome=ReportOutcome.NOTHING)
    delivery.deliver(5)
    body = mail.outbox[0].body
    assert "Stop notifications for this game" not in body
    stop = body.split("Stop notifications of this kind:\n")[1].split("\n")[0]
    path = "/" + stop.split("/", 3)[3]
    assert Client().get(path).status_code == 200
    assert Client().post(path).status_code in (200, 302)
    assert MutedKind.objects.filter(user=alice, kind=Kind.REPORT).exists()
