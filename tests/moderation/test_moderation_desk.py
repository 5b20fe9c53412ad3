"""The desk lists what needs staff now, each case with its age, and nothing hidden."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AccessTrace, Appeal, AuditEntry, Sanction, User
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.refusals import Refusal
from games.chat.messages import say
from games.lobby.game_terms import GameTerms
from games.lobby.open_seats import PracticePlayer
from games.lobby.practice_table import start_practice
from games.models import AbuseReport, Game, Kind, Notification
from games.moderation import report_claims, site_health
from games.moderation.abuse_reports import report, report_game, report_person
from games.moderation.desk.desk_case import DeskCase, DeskTopic
from games.moderation.desk.moderation_desk import desk
from games.play.bots.bot_failures import record_lost_task
from games.play.bots.bot_moves import play_bot_move
from tests.support import wording
from tests.support.bot_games import up_to_computer
from tests.support.games import NewGame, play_on
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db


def ago(**time: float) -> Any:
    return timezone.now() - timedelta(**time)


def reader() -> User:
    """Staff with every right."""
    return User(username="reader", is_superuser=True, is_staff=True, pk=0)


def cases(concern: DeskTopic) -> list[DeskCase]:
    return desk(timezone.now(), reader())[concern]


def told(concern: DeskTopic) -> list[str]:
    return [case.sentence for case in cases(concern)]


def people(game: Game) -> str:
    """The players, by whom cases name their game."""
    return ", ".join(seat.name for seat in game.seats.order_by("number"))


def test_desk_of_a_healthy_site_is_empty(start: NewGame, alice: User, bob: User) -> None:
    play_on(start(alice, bob, "random", terms={"pace": 86400}), 10)
    assert desk(timezone.now(), reader()) == {concern: [] for concern in DeskTopic}


# -- Games -----------------------------------------------------------------------------------------


@pytest.fixture
def game(start: NewGame, alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


def test_bot_that_does_not_move_makes_a_game_stuck(game: Game) -> None:
    Game.objects.update(bot_due_at=ago(seconds=50))
    assert told(DeskTopic.STUCK) == []
    Game.objects.update(bot_due_at=ago(minutes=5))
    [case] = cases(DeskTopic.STUCK)
    assert (case.model, case.key) == ("games.game", game.pk)
    assert case.sentence.startswith(f"{people(game)}: ")
    assert f"{wording.SHOULD_HAVE_MOVED} 5 minutes ago." in case.sentence
    assert case.since == Game.objects.get().bot_due_at


def test_failing_bot_is_listed_with_its_number_of_failures(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.update(bot_due_at=ago(minutes=5), state={"nonsense": "5C"})
    for _ in range(3):
        with pytest.raises(KeyError):
            play_bot_move(game.pk, game.version)
    seat = (game.seat_to_move or 0) + 1
    assert told(DeskTopic.FAILED) == [f"{people(game)}: the computer player in seat {seat} failed 3 times."]
    assert told(DeskTopic.STUCK) == []  # once is enough


def test_failed_bot_whose_move_was_made_is_not_listed(game: Game) -> None:
    record_lost_task(game.pk, game.version)
    assert len(told(DeskTopic.FAILED)) == 1
    play_bot_move(game.pk, game.version)
    assert told(DeskTopic.FAILED) == []


def test_game_that_waits_for_nobody_is_stuck(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    Game.objects.update(waiting_for=None)
    assert told(DeskTopic.STUCK) == [
        f"{people(game)}: Seat {(game.seat_to_move or 0) + 1} {wording.NOBODY_SITS_THERE}."
    ]
    Game.objects.update(seat_to_move=None)
    assert told(DeskTopic.STUCK) == [f"{people(game)}: {wording.NOBODYS_TURN}"]


def test_case_names_the_people_and_not_the_id_of_a_game(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    Game.objects.update(waiting_for=None)
    [sentence] = told(DeskTopic.STUCK)
    assert "alice" in sentence and "bob" in sentence
    assert game.public_id not in sentence


def test_practice_table_is_not_stuck(alice: User) -> None:
    terms = GameTerms(system="acquire", preset="avalon-hill", least=2, most=2, practice=True)
    people = [PracticePlayer("Ann"), PracticePlayer("Ben")]
    game = start_practice(host=alice, terms=terms, players=people)
    assert game.is_running and game.waiting_for_id is None
    assert told(DeskTopic.STUCK) == []
    assert not site_health.stuck(timezone.now()).exists()


def test_unsettled_timeout_is_listed(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.update(deadline=ago(minutes=4))
    assert told(DeskTopic.OVERDUE) == []
    Game.objects.update(deadline=ago(hours=3))
    [case] = cases(DeskTopic.OVERDUE)
    seat = (game.seat_to_move or 0) + 1
    assert case.sentence == f"{people(game)}: seat {seat} ran out of time and nothing happened."
    assert case.since == Game.objects.get().deadline


def test_only_pauses_by_moderators_are_listed(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.update(seat_to_move=None, deadline=ago(hours=3), paused=timezone.now())
    assert not any(desk(timezone.now(), reader()).values())
    Game.objects.update(held_at=ago(hours=2))
    found = {concern: told(concern) for concern in DeskTopic if told(concern)}
    assert found == {DeskTopic.HELD: [f"{people(game)}: a moderator has paused it. Resume or end it."]}


def test_cases_of_a_game_are_those_of_the_integrity_check(start: NewGame, alice: User, bob: User) -> None:
    """Rows and database queries agree on games in every state."""
    games = [start(alice, bob, terms={"pace": 3600}) for _ in range(5)]
    change = [
        {},
        {"seat_to_move": None},
        {"waiting_for": None, "deadline": None},
        {"deadline": ago(hours=1)},
        {"deadline": ago(hours=1), "paused": ago(hours=2)},
    ]
    for game, columns in zip(games, change, strict=True):
        Game.objects.filter(pk=game.pk).update(**columns)
    now = timezone.now()
    for found, says in (
        (site_health.stuck, site_health.is_stuck),
        (site_health.overdue, site_health.is_overdue),
    ):
        keys = {game.pk for game in found(now)}
        assert keys == {game.pk for game in Game.objects.all() if says(game, now)}
        assert keys


# -- Notifications ---------------------------------------------------------------------------------


def test_notifications_given_up_are_listed_by_person_with_a_link(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    Notification.objects.all().delete()
    for version in (0, 1):
        Notification.objects.create(
            user=alice, game=game, kind=Kind.DECISION, version=version, due=ago(hours=1),
            state=Notification.State.GIVEN_UP, settled=ago(hours=1 + version),
        )  # fmt: skip
    [case] = cases(DeskTopic.UNSENT)
    assert case.sentence == "2 notifications for alice failed for good."
    assert case.search == {"state__exact": "given up", "q": "alice"}
    Notification.objects.update(settled=ago(days=8))
    assert cases(DeskTopic.UNSENT) == []


def test_growing_outbox_is_listed_once(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    Notification.objects.all().delete()
    for user in (alice, bob):
        Notification.objects.create(user=user, game=game, kind=Kind.STARTED, due=ago(minutes=11))
    assert told(DeskTopic.UNSENT) == ["2 notifications are overdue. Check that the workers are running."]
    Notification.objects.update(due=ago(minutes=9))
    assert told(DeskTopic.UNSENT) == []


# -- Reports and sign-ups --------------------------------------------------------------------------


def test_reports_of_one_subject_are_one_case_with_its_claimant(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    line = say(game_id=start(alice, bob, carol).pk, user=alice, text="Fools.")
    for user in (bob, carol):
        report(line=line, user=user, trouble="insult")
    [case] = cases(DeskTopic.REPORT)
    assert case.sentence == "A chat message was reported 2 times: insults or threats."
    assert (case.model, case.key) == ("games.abusereport", AbuseReport.objects.earliest("pk").pk)
    assert "alice" not in case.sentence and "Fools" not in case.sentence
    mona = User.objects.create_superuser("mona")
    report_claims.claim(AbuseReport.objects.earliest("pk"), mona)
    assert told(DeskTopic.REPORT) == [f"{case.sentence} mona is handling it."]


def test_report_about_a_game_names_its_people(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    report_game(game=game, user=alice, trouble="stalling")
    assert told(DeskTopic.REPORT) == [f"The game of {people(game)} was reported: stalling or leaving games."]
    Game.all_games.update(paused=timezone.now(), deleted=timezone.now())
    assert told(DeskTopic.REPORT) == ["A game was reported: stalling or leaving games."]


def test_case_names_everything_that_was_reported_of_a_game(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol)
    for user, trouble in ((alice, "stalling"), (bob, "other"), (carol, "stalling")):
        report_game(game=game, user=user, trouble=trouble, reason="Look.")
    assert told(DeskTopic.REPORT) == [
        f"The game of {people(game)} was reported 3 times: stalling or leaving games; something else."
    ]


def test_staff_do_not_read_reports_about_themselves(alice: User) -> None:
    mona = User.objects.create_superuser("mona")
    report_person(person=mona, user=alice, trouble="insult")
    assert len(told(DeskTopic.REPORT)) == 1
    assert desk(timezone.now(), mona)[DeskTopic.REPORT] == []


def sign_up(*names: str, mail: str = "club.example", **columns: Any) -> None:
    for name in names:
        User.objects.create_user(name, email=f"{name}@{mail}", **columns)


def test_new_members_with_similar_names_are_listed(db: None) -> None:
    sign_up("Spam-1", "spam22")
    assert told(DeskTopic.SIGN_UP) == []
    sign_up("SPAM_3")
    sign_up("somebody", mail="elsewhere.example")
    [case] = cases(DeskTopic.SIGN_UP)
    assert case.sentence == wording.SIMILAR_NEW_NAMES.format(n=3, names="SPAM_3, spam22, Spam-1")
    assert (case.model, case.key) == ("accounts.user", User.objects.get(username="SPAM_3").pk)
    User.objects.update(date_joined=ago(days=4))
    assert cases(DeskTopic.SIGN_UP) == []


def test_new_members_of_a_rare_mail_domain_are_listed_but_not_of_a_common_one(db: None) -> None:
    sign_up("anna", "bert", "cleo", "dora", mail="gmail.com")
    sign_up("emil", "fritz", "greta", mail="farm.example")
    assert told(DeskTopic.SIGN_UP) == []
    sign_up("hans", mail="farm.example")
    [sentence] = told(DeskTopic.SIGN_UP)
    assert sentence == "4 new accounts use email at farm.example: hans, greta, fritz, emil."


def test_disposable_mail_address_is_listed(db: None) -> None:
    sign_up("anna", mail="mailinator.com")
    assert told(DeskTopic.SIGN_UP) == ["Disposable email addresses at mailinator.com: anna."]


def dismiss(name: str) -> AuditEntry:
    action, sonja = MEMBER_ACTIONS["dismiss-sign-up"], User.objects.create_superuser(f"sonja-{name}"[:20])
    return perform_action(action, User.objects.get(username=name), sonja, "A school.")


def test_dismissed_sign_ups_leave_the_desk_until_another_joins(db: None) -> None:
    sign_up("spam1", "spam2", "spam3")
    entry = dismiss("spam2")
    assert told(DeskTopic.SIGN_UP) == []
    members = User.objects.filter(username__startswith="spam").values_list("pk", flat=True)
    assert entry.details == {"members": sorted(members)}
    sign_up("spam4", mail="gmail.com")
    assert told(DeskTopic.SIGN_UP) == [
        wording.SIMILAR_NEW_NAMES.format(n=4, names="spam4, spam3, spam2, spam1")
    ]


def test_sign_up_that_is_not_on_the_desk_cannot_be_dismissed(db: None) -> None:
    sign_up("anna")
    with pytest.raises(Refusal, match="not in the moderation queue"):
        dismiss("anna")


def test_guests_and_banned_members_are_not_listed(db: None) -> None:
    sign_up("Guest-1", "Guest-2", "Guest-3", is_guest=True)
    sign_up("spam1", "spam2", "spam3", is_active=False)
    assert told(DeskTopic.SIGN_UP) == []


def test_new_members_with_one_browser_are_listed_without_its_fingerprint(db: None) -> None:
    sign_up("anna", mail="gmail.com")
    sign_up("bert", mail="gmx.de")
    for user in User.objects.all():
        for kind in AccessTrace.Kind:
            AccessTrace.objects.create(
                member=user, kind=kind, mark="f00", first=ago(hours=1), last=ago(hours=1)
            )
    [case] = cases(DeskTopic.SIGN_UP)
    assert case.sentence == "2 new accounts share a browser: bert, anna."
    assert case.key == User.objects.get(username="bert").pk
    User.objects.update(suspended_until=timezone.now() + timedelta(days=1))
    assert cases(DeskTopic.SIGN_UP) == []


def test_appeal_is_listed_until_it_is_answered(alice: User) -> None:
    sanction = Sanction.objects.create(member=alice, kind=Sanction.Kind.MUTE, reason="Rude.")
    appeal = Appeal.objects.create(sanction=sanction, text="I was provoked.")
    [case] = cases(DeskTopic.APPEAL)
    assert case.sentence == "alice has appealed."
    assert (case.model, case.key, case.since) == ("accounts.user", alice.pk, appeal.made)
    Appeal.objects.update(replied=timezone.now())
    assert cases(DeskTopic.APPEAL) == []


# -- Cost ------------------------------------------------------------------------------------------


def test_each_source_takes_one_query_and_only_on_demand_and_one_more_for_the_people(
    start: NewGame, alice: User, bob: User
) -> None:
    for _ in range(3):
        start(alice, bob, terms={"pace": 3600})
    Game.objects.update(deadline=ago(hours=3))
    with CaptureQueriesContext(connection) as taken:
        desk(timezone.now(), reader())
    assert len(taken) == 6
    with CaptureQueriesContext(connection) as taken:
        assert list(desk(timezone.now(), reader(), [DeskTopic.OVERDUE])) == [DeskTopic.OVERDUE]
    assert len(taken) == 2
