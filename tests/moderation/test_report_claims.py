"""Moderators claim reports, read the messages around them, and settle them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.refusals import ActionNotAllowed, Refusal
from games.chat.messages import say
from games.models import AbuseReport, ChatMessage, Game, Notification, ReplyTemplate
from games.models.abuse_report import ReportOutcome
from games.moderation import abuse_reports, report_claims, report_queue
from games.moderation.abuse_reports import report_game, report_person
from games.moderation.reply_templates import create_first_templates
from games.moderation.report_actions import REPORT_ACTIONS
from games.moderation.staff_roles import make_groups
from games.play.game_lock import lock_paused_game
from games.realtime import ticks
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end
from tests.support.locks import without_row_locks
from tests.support.simultaneous_calls import at_once
from tests.support.staff_actions import hidden_fields, perform_action, shown_for

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NOON = "2031-05-17T12:00:00Z"
ROUNDS = 5


def staff(name: str, group: str = "Moderators") -> User:
    make_groups()
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def mod(db: None) -> User:
    return staff("mod")


@pytest.fixture
def manager(db: None) -> User:
    return staff("manager", "Member managers")


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, terms={"visibility": "public", "name": "Friday"})


@pytest.fixture
def report(game: Game, alice: User, bob: User) -> AbuseReport:
    for number in range(8):
        say(game_id=game.pk, user=alice if number % 2 else bob, text=f"words {number}")
    line = ChatMessage.objects.get(text="words 4")
    return abuse_reports.report(line=line, user=alice, trouble="insult", reason="Rude.")


def act(report: AbuseReport, name: str, by: User | None, **values: str) -> AuditEntry:
    return perform_action(REPORT_ACTIONS[name], report, by, "Seen.", **values)


def open_reports(by: User) -> list[AbuseReport]:
    return [report for group in report_queue.queue(by) for report in group.reports]


# -- Claiming --------------------------------------------------------------------------------------------


def test_claimed_report_shows_others_until_when(report: AbuseReport, mod: User) -> None:
    other = staff("other")
    with time_machine.travel(NOON, tick=False) as clock:
        report_claims.claim(report, mod)
        with pytest.raises(Refusal, match="mod is handling this report, until"):
            report_claims.claim(report, other)
        with pytest.raises(Refusal, match="mod is handling"):
            act(report, "keep-line", None)
        clock.shift(report_claims.CLAIM_LASTS - timedelta(seconds=1))
        with pytest.raises(Refusal):
            report_claims.claim(report, other)
        clock.shift(timedelta(seconds=1))
        report_claims.claim(report, other)
        with pytest.raises(Refusal, match="other is handling"):
            report_claims.claim(report, mod)


def test_released_report_can_be_claimed_by_others(report: AbuseReport, mod: User) -> None:
    other = staff("other")
    report_claims.claim(report, mod)
    report_claims.release(report, other)
    with pytest.raises(Refusal):
        report_claims.claim(report, other)
    report_claims.release(report, mod)
    report_claims.claim(report, other)


def test_reports_of_one_subject_are_claimed_and_settled_together(
    alice: User, bob: User, carol: User, mod: User
) -> None:
    first = report_person(person=bob, user=alice, trouble="insult")
    second = report_person(person=bob, user=carol, trouble="spam")
    apart = report_person(person=carol, user=alice, trouble="spam")
    assert [[one.pk for one in group.reports] for group in report_queue.queue(mod)] == [
        [first.pk, second.pk],
        [apart.pk],
    ]
    assert report_claims.claim(second, mod) == [first, second]
    act(second, "nothing-found", mod)
    assert set(AbuseReport.objects.filter(settled=None)) == {apart}
    first.refresh_from_db()
    assert first.outcome == ReportOutcome.NOTHING


def test_report_made_after_the_claim_stays_open(alice: User, bob: User, carol: User, mod: User) -> None:
    first = report_person(person=bob, user=alice, trouble="insult")
    report_claims.claim(first, mod)
    later = report_person(person=bob, user=carol, trouble="spam")
    act(first, "nothing-found", mod)
    assert open_reports(mod) == [later]


def test_report_is_settled_by_its_claimant_and_only_once(report: AbuseReport, mod: User) -> None:
    with pytest.raises(ActionNotAllowed, match=wording.HANDLE_REPORT_FIRST):
        act(report, "remove-line", mod)
    with pytest.raises(Refusal, match=wording.HANDLE_REPORT_FIRST):
        report_claims.settle(report, by=mod, outcome=ReportOutcome.REMOVED)
    report_claims.claim(report, mod)
    act(report, "keep-line", mod)
    report.refresh_from_db()
    for again in (
        lambda: act(report, "remove-line", mod),
        lambda: report_claims.settle(report, by=mod, outcome=ReportOutcome.REMOVED),
        lambda: report_claims.claim(report, mod),
        lambda: report_claims.release(report, mod),
    ):
        with pytest.raises(Refusal, match="already closed"):
            again()
    assert ChatMessage.objects.get(pk=report.line_id).removed is None


# -- Settling --------------------------------------------------------------------------------------------


def test_hidden_message_disappears_from_open_pages_under_the_game_lock(
    report: AbuseReport,
    mod: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    sent_ticks: list[str] = []
    locked: list[int] = []
    monkeypatch.setattr(ticks, "send_tick", lambda public_id, *_: sent_ticks.append(public_id))
    monkeypatch.setattr(
        report_claims, "lock_paused_game", lambda key: (locked.append(key), lock_paused_game(key))[1]
    )
    report_claims.claim(report, mod)
    with django_capture_on_commit_callbacks(execute=True):
        act(report, "remove-line", mod)
    assert report.game is not None
    assert (sent_ticks, locked) == ([report.game.public_id], [report.game.pk])


def test_hidden_message_is_in_the_audit_log(report: AbuseReport, mod: User, bob: User) -> None:
    report_claims.claim(report, mod)
    entry = act(report, "remove-line", mod)
    assert report.line
    report.line.refresh_from_db()
    assert report.line.removed
    assert (entry.by, entry.member, entry.game) == (mod, bob, report.game.public_id if report.game else "")
    assert entry.details == {"reports": 1, "about": "line", "outcome": "removed"}


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({}, ""),
        ({"template": "{key}"}, "Be patient."),
        ({"words": "Mine."}, "Mine."),
        ({"template": "{key}", "words": "Mine."}, "Mine."),
    ],
)
def test_answer_is_chosen_or_written(
    report: AbuseReport, mod: User, values: dict[str, str], answer: str
) -> None:
    template = ReplyTemplate.objects.create(name="Patience", text="Be patient.")
    report_claims.claim(report, mod)
    act(report, "keep-line", mod, **{name: text.format(key=template.pk) for name, text in values.items()})
    report.refresh_from_db()
    assert report.answer == answer


def test_reply_templates_are_created_once(db: None) -> None:
    ReplyTemplate.objects.all().delete()
    [first] = [step for step in MigrationLoader(connection).disk_migrations.values() if _is_first(step)]
    create_first_templates(plan=[(first, False)])
    assert ReplyTemplate.objects.filter(name="Mute or block").exists()
    ReplyTemplate.objects.all().delete()
    create_first_templates(plan=[])
    assert not ReplyTemplate.objects.exists()


def _is_first(migration: Migration) -> bool:
    return (migration.app_label, migration.name) == ("games", "0001_initial")


def test_reply_templates_fit_the_trouble(report: AbuseReport, alice: User, bob: User, mod: User) -> None:
    person = report_person(person=bob, user=alice, trouble="insult")
    for one, wrong in ((report, "nothing-found"), (person, "remove-line"), (report, "member-acted")):
        report_claims.claim(one, mod)
        one.refresh_from_db()
        with pytest.raises(Refusal):
            act(one, wrong, mod)


def test_report_handed_on_is_settled_by_member_managers(
    alice: User, bob: User, mod: User, manager: User
) -> None:
    report = report_person(person=bob, user=alice, trouble="cheating")
    assert open_reports(manager) == []
    with pytest.raises(ActionNotAllowed):
        report_claims.claim(report, manager)
    report_claims.claim(report, mod)
    act(report, "hand-on", mod)
    report.refresh_from_db()
    assert report.settled is None
    assert (open_reports(mod), open_reports(manager)) == ([], [report])
    with pytest.raises(ActionNotAllowed, match="passed to the member managers"):
        report_claims.claim(report, mod)
    report_claims.claim(report, manager)
    report.refresh_from_db()
    with pytest.raises(ActionNotAllowed):
        act(report, "acted", manager)
    act(report, "member-acted", manager)
    report.refresh_from_db()
    assert (report.outcome, report.settled is None) == (ReportOutcome.ACTED, False)


def test_later_report_of_the_same_subject_is_handed_on_too(
    alice: User, bob: User, carol: User, mod: User, manager: User
) -> None:
    first = report_person(person=bob, user=alice, trouble="cheating")
    report_claims.claim(first, mod)
    act(first, "hand-on", mod)
    second = report_person(person=bob, user=carol, trouble="cheating")
    assert (open_reports(mod), open_reports(manager)) == ([], [first, second])
    report_claims.claim(first, manager)
    first.refresh_from_db()
    act(first, "member-nothing", manager)
    assert not AbuseReport.objects.filter(settled=None).exists()


# -- Moderators with a part in it ------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["reporter", "reported", "seat", "host", "former seat"])
def test_moderator_with_a_part_in_the_report_may_not_handle_it(
    start: NewGame, create: NewGame, alice: User, bob: User, mod: User, part: str
) -> None:
    if part == "reporter":
        report = report_person(person=bob, user=mod, trouble="insult")
    elif part == "reported":
        report = report_person(person=mod, user=alice, trouble="insult")
    else:
        game = create(mod) if part == "host" else start(mod, bob)
        if part == "former seat":
            game = play_to_the_end(game)
            game.seats.filter(user=mod).update(user=None, bot_level="medium")
        report = report_game(game=game, user=alice, trouble="cheating")
    with pytest.raises(ActionNotAllowed, match="nother moderator"):
        report_claims.claim(report, mod)
    AbuseReport.objects.update(claimed_by=mod, claimed=report.made)  # as if it had been claimed before
    report.refresh_from_db()
    with pytest.raises(ActionNotAllowed, match="nother moderator"):
        act(report, "acted", mod)


def test_missing_check_for_a_part_in_the_report_is_detected(
    alice: User, mod: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: everybody may claim a report."""
    report = report_person(person=mod, user=alice, trouble="insult")
    monkeypatch.setattr(report_claims, "claim_bar", lambda report, by: None)
    with pytest.raises(pytest.fail.Exception), pytest.raises(ActionNotAllowed):
        report_claims.claim(report, mod)


# -- Races -----------------------------------------------------------------------------------------------


def check_single_claim(report: AbuseReport, people: list[User]) -> None:
    results = at_once(*[partial(report_claims.claim, report, person) for person in people])
    assert sum(isinstance(result, list) for result in results) == 1, results
    assert sum(isinstance(result, Refusal) for result in results) == len(people) - 1, results


@pytest.mark.django_db(transaction=True)
def test_report_claimed_at_once_goes_to_one_moderator(alice: User, bob: User) -> None:
    people = [staff(f"mod{number}") for number in range(4)]
    for _ in range(ROUNDS):
        AbuseReport.objects.all().delete()
        check_single_claim(report_person(person=bob, user=alice, trouble="insult"), people)


@pytest.mark.django_db(transaction=True)
def test_report_settled_at_once_is_settled_once(alice: User, bob: User) -> None:
    mod = staff("mod")
    for _ in range(ROUNDS):
        AbuseReport.objects.all().delete()
        report = report_person(person=bob, user=alice, trouble="insult")
        report_claims.claim(report, mod)
        results = at_once(
            *[partial(report_claims.settle, report, by=mod, outcome=ReportOutcome.NOTHING) for _ in range(3)]
        )
        assert sum(isinstance(result, dict) for result in results) == 1, results
        assert all(isinstance(result, dict | Refusal) for result in results), results


@pytest.mark.django_db(transaction=True)
def test_claim_without_the_check_for_a_claimant_is_detected(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: every claim succeeds."""
    people = [staff(f"mod{number}") for number in range(2)]
    report = report_person(person=bob, user=alice, trouble="insult")
    monkeypatch.setattr(report_claims, "_check_free", lambda found, by: None)
    with pytest.raises(AssertionError):
        check_single_claim(report, people)


@pytest.mark.django_db(transaction=True)
def test_claim_without_the_lock_is_detected(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: somebody else claims the report between check and claim."""
    without_row_locks(monkeypatch, AbuseReport)
    mod, other = staff("mod"), staff("other")
    report = report_person(person=bob, user=alice, trouble="insult")
    check, looked = report_claims._check_free, []

    def slowly(found: list[AbuseReport], by: User | None) -> None:
        check(found, by)
        if not looked:
            looked.append(by)
            [result] = at_once(partial(report_claims.claim, report, other))
            assert isinstance(result, list)

    monkeypatch.setattr(report_claims, "_check_free", slowly)
    assert isinstance(report_claims.claim(report, mod), list), "both have it"


# -- Pages of reports ------------------------------------------------------------------------------------


def page_of(client: Client, name: str, *args: Any) -> str:
    answer = client.get(reverse(f"admin:{name}", args=args))
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_moderator_with_a_part_in_a_report_reads_neither_reporter_nor_reason(
    start: NewGame, bob: User, carol: User, mod: User
) -> None:
    game = start(mod, bob, terms={"visibility": "public"})
    report = report_game(game=game, user=carol, trouble="cheating", reason="They wink.")
    client = client_of(mod)
    listed, page = (
        page_of(client, "games_abusereport_changelist"),
        page_of(client, "games_abusereport_change", report.pk),
    )
    for told in (listed, page):
        assert "They wink." not in told
        assert "carol" not in told


def test_moderator_claims_judges_and_settles_a_report(report: AbuseReport, mod: User, alice: User) -> None:
    report_person(person=report.person, user=alice, trouble="stalling") if report.person else None
    client = client_of(mod)
    queue = page_of(client, "games_abusereport_queue")
    assert wording.MESSAGE_FROM.format(name="bob") in queue
    assert queue.count('aria-label="Breadcrumbs"') == 1
    page = page_of(client, "games_abusereport_change", report.pk)
    assert wording.HANDLE_THIS_REPORT in page
    for number in range(8):
        assert f"words {number}" in page, "what was said around it"
    assert "bob, stalling or leaving games" in page, "other reports of the person"
    claimed = client.post(reverse("admin:games_abusereport_claim", args=[report.pk]), follow=True)
    assert "You are handling this until" in claimed.content.decode()
    address = reverse("admin:games_abusereport_act", args=[report.pk, "remove-line"])
    form = {"reason": "Insult.", "words": "Sorry for that.", "template": ""}
    foreseen = shown_for(client, address, form).content.decode()
    assert f"1 member who reported this will read: “{wording.REPORT_WAS_ACTED_ON}" in foreseen
    assert ChatMessage.objects.filter(removed=None).count() == 8
    done = client.post(address, {**form, **hidden_fields(foreseen), "confirm": "1"}, follow=True)
    assert f"Done: {wording.REMOVE_MESSAGE}" in done.content.decode()
    assert ChatMessage.objects.get(pk=report.line_id).removed
    assert AbuseReport.objects.get(pk=report.pk).answer == "Sorry for that."


def test_second_moderator_reads_who_has_claimed_it(report: AbuseReport, mod: User) -> None:
    report_claims.claim(report, staff("other"))
    client = client_of(mod)
    answer = client.post(reverse("admin:games_abusereport_claim", args=[report.pk]), follow=True)
    assert "ther is handling this report, until" in answer.content.decode()
    assert "handled by other" in page_of(client, "games_abusereport_queue")


def test_moderator_does_not_read_who_reported_them(alice: User, mod: User) -> None:
    report = report_person(person=mod, user=alice, trouble="insult")
    client = client_of(mod)
    assert wording.NO_OPEN_REPORTS in page_of(client, "games_abusereport_queue")
    assert "alice" not in page_of(client, "games_abusereport_changelist")
    for name in ("change", "act", "history"):
        args = [report.pk, "acted"] if name == "act" else [report.pk]
        assert b"alice" not in client.get(reverse(f"admin:games_abusereport_{name}", args=args)).content
    assert client.post(reverse("admin:games_abusereport_claim", args=[report.pk])).status_code == 404


def test_moderator_with_a_seat_does_not_read_the_spectators_chat(
    start: NewGame, alice: User, bob: User, carol: User, mod: User
) -> None:
    game = start(mod, bob, terms={"visibility": "public"})
    line = say(game_id=game.pk, user=carol, text="bob holds 5A")
    report = abuse_reports.report(line=line, user=alice)
    page = page_of(client_of(mod), "games_abusereport_change", report.pk)
    assert wording.MODERATOR_IS_INVOLVED in page
    assert "bob holds 5A" not in page


def test_withheld_games_are_not_named(game: Game, carol: User, mod: User, settings: Any) -> None:
    report = report_game(game=game, user=carol, trouble="spam")
    Game.all_games.filter(pk=game.pk).update(system="acquisition")
    settings.ACQUISITION_PERMISSION = ""
    client = client_of(mod)
    report_claims.claim(report, mod)
    pages = [
        page_of(client, "games_abusereport_queue"),
        page_of(client, "games_abusereport_changelist"),
        page_of(client, "games_abusereport_change", report.pk),
        page_of(client, "games_abusereport_act", report.pk, "acted"),
    ]
    for page in pages:
        assert game.public_id not in page
        assert "Friday" not in page
    assert act(AbuseReport.objects.get(), "acted", mod).game == ""


def test_member_managers_see_only_reports_that_were_handed_on(
    alice: User, bob: User, carol: User, mod: User, manager: User
) -> None:
    handed = report_person(person=bob, user=alice, trouble="cheating")
    other = report_person(person=carol, user=alice, trouble="spam")
    report_claims.claim(handed, mod)
    act(handed, "hand-on", mod)
    client = client_of(manager)
    for page in (page_of(client, "games_abusereport_queue"), page_of(client, "games_abusereport_changelist")):
        assert "bob" in page
        assert "carol" not in page
    assert client.get(reverse("admin:games_abusereport_change", args=[other.pk])).status_code == 302
    assert client.post(reverse("admin:games_abusereport_claim", args=[other.pk])).status_code == 404
    assert client.post(reverse("admin:games_abusereport_claim", args=[handed.pk])).status_code == 302
    handed.refresh_from_db()
    assert handed.claimed_by == manager


def test_staff_without_the_right_see_no_reports(report: AbuseReport, db: None) -> None:
    plain = User.objects.create_user("plain", is_staff=True)
    client = client_of(plain)
    assert client.get(reverse("admin:games_abusereport_queue")).status_code == 404
    assert client.get(reverse("admin:games_abusereport_changelist")).status_code == 403
    assert client.post(reverse("admin:games_abusereport_claim", args=[report.pk])).status_code == 404


def test_moderators_edit_reply_templates(mod: User, manager: User) -> None:
    client = client_of(mod)
    new = {"name": "Patience", "text": "Be patient."}
    client.post(reverse("admin:games_replytemplate_add"), new)
    assert ReplyTemplate.objects.filter(**new).exists()
    assert client_of(manager).get(reverse("admin:games_replytemplate_changelist")).status_code == 403


def test_queue_takes_few_queries_at_any_length(
    alice: User, mod: User, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = client_of(mod)
    for number in range(15):
        person = User.objects.create_user(f"person{number}")
        report_person(person=person, user=alice, trouble="spam")
    page_of(client, "games_abusereport_queue")
    with django_assert_max_num_queries(9):
        assert page_of(client, "games_abusereport_queue").count(wording.ADVERTISING_OR_SPAM) == 15


def test_reporter_is_not_notified_before_the_report_is_settled(report: AbuseReport, mod: User) -> None:
    report_claims.claim(report, mod)
    report_claims.release(report, mod)
    assert not Notification.objects.filter(kind="report").exists()
