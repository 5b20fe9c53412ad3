"""Outages cost nobody time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.models import Game, Heartbeat, Kind, Notification, TaskFailure
from games.play.deadlines import outages
from games.play.deadlines.outages import OUTAGE_AFTER, record_heartbeat
from games.play.ruling_entry import enter_ruling
from tests.support.games import NewGame, play_next
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import DAY, HOUR, deadline, without_grace

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice has a day, with the sweeper at work."""
    with_mailbox(alice)
    sweeper.sweep()
    return without_grace(start(alice, bob, preset="course", terms={"pace": 86400}))


def test_sweeper_records_a_heartbeat_each_round(clock: Any, game: Game) -> None:
    for _ in range(3):
        clock.shift(OUTAGE_AFTER)
        sweeper.sweep()
        assert Heartbeat.objects.get().at == timezone.now()
    assert deadline(game) == game.deadline


def test_outage_leaves_everybody_the_time_left_before_it(clock: Any, game: Game) -> None:
    clock.shift(20 * HOUR)
    Heartbeat.objects.update(at=timezone.now())
    clock.shift(3 * DAY)
    assert sweeper.sweep() == 0
    assert deadline(game) == timezone.now() + 4 * HOUR
    assert game.moves.get().text == "more time for 0"
    clock.shift(10 * timedelta(seconds=1))
    sweeper.sweep()
    assert game.moves.count() == 1


def test_decision_asked_during_the_outage_gets_the_whole_time_only(clock: Any, game: Game) -> None:
    clock.shift(DAY)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + DAY)
    clock.shift(HOUR)
    sweeper.sweep()
    assert deadline(game) == timezone.now() + DAY


def test_reminder_moves_with_the_deadline(clock: Any, game: Game) -> None:
    clock.shift(3 * HOUR)
    sweeper.sweep()
    reminder = Notification.objects.get(kind=Kind.REMINDER)
    assert reminder.due == deadline(game) - 0.2 * DAY
    assert deadline(game) == game.deadline + 3 * HOUR


def test_only_counted_hours_are_given_back(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    clock.move_to(datetime(2026, 5, 4, 18, tzinfo=UTC))
    sweeper.sweep()
    game = start(alice, bob, preset="course", terms={"pace": 8 * 3600, "off": "nights"})
    assert game.deadline == datetime(2026, 5, 5, 10, tzinfo=UTC)
    clock.shift(10 * HOUR)  # five of them in the evening
    sweeper.sweep()
    assert deadline(game) == datetime(2026, 5, 5, 15, tzinfo=UTC)


def test_player_without_time_before_the_outage_is_late(clock: Any, game: Game) -> None:
    clock.shift(DAY)
    Heartbeat.objects.update(at=timezone.now())
    clock.shift(DAY)
    assert sweeper.sweep() == 1


def test_first_sweeper_of_a_site_finds_no_outage(clock: Any, game: Game) -> None:
    Heartbeat.objects.all().delete()
    clock.shift(3 * HOUR)
    sweeper.sweep()
    assert deadline(game) == game.deadline


def test_missing_heartbeat_is_detected(clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: a sweeper that ignores how long it was away."""
    monkeypatch.setattr(outages, "record_heartbeat", lambda: 0)
    with pytest.raises(AssertionError):
        test_outage_leaves_everybody_the_time_left_before_it(clock, game)


def test_nobody_is_late_while_the_clocks_cannot_be_set(
    clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> int:
        raise RuntimeError

    monkeypatch.setattr(outages, "record_heartbeat", fail)
    clock.shift(2 * DAY)
    assert sweeper.sweep() == 0
    assert not game.moves.exists()


def test_broken_game_does_not_cost_others_their_time(
    clock: Any, game: Game, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = start(alice, bob, preset="course", terms={"pace": 86400})

    def fail(found: Game, *args: Any, **more: Any) -> Any:
        if found.pk == game.pk:
            raise RuntimeError
        return enter_ruling(found, *args, **more)

    monkeypatch.setattr(outages, "enter_ruling", fail)
    clock.shift(HOUR)
    record_heartbeat()
    assert (deadline(game), deadline(other)) == (game.deadline, other.deadline + HOUR)
    assert TaskFailure.objects.get().task == "giving time back"


def fail(*args: Any, **more: Any) -> None:
    raise RuntimeError


def break_in_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sweeper run once while no time can be given back."""
    with monkeypatch.context() as broken:
        broken.setattr(outages, "enter_ruling", fail)
        sweeper.sweep()


@pytest.fixture
def owed(clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game after an outage in which all time ran out, whose time could not be given back."""
    clock.shift(20 * HOUR)
    Heartbeat.objects.update(at=timezone.now())
    clock.shift(DAY)
    break_in_a_round(monkeypatch)
    return game


def test_turn_does_not_end_while_time_is_owed(owed: Game) -> None:
    assert not owed.moves.exists()
    assert deadline(owed) < timezone.now()


def test_owed_time_is_given_back_in_a_later_round(clock: Any, owed: Game) -> None:
    clock.shift(timedelta(minutes=2))
    sweeper.sweep()
    assert deadline(owed) == timezone.now() + 4 * HOUR
    assert owed.moves.get().text == "more time for 0"
    clock.shift(timedelta(minutes=2))
    sweeper.sweep()
    assert owed.moves.count() == 1


def test_owed_time_goes_to_no_other_player(clock: Any, owed: Game, bob: User) -> None:
    game = Game.with_secrets.get(pk=owed.pk)
    while game.waiting_for != bob:
        play_next(game)
        game = Game.with_secrets.get(pk=owed.pk)
    sweeper.sweep()
    assert deadline(owed) == game.deadline
    assert not Heartbeat.objects.filter(name__startswith=outages.OWED_MARK).exists()


def test_player_who_moves_before_it_is_paid_back_gets_owed_time_into_the_bank(
    clock: Any, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeper.sweep()
    terms = {"pace": 3600, "bank": 86400}
    game = without_grace(start(alice, bob, preset="course", terms=terms))
    clock.shift(20 * HOUR)
    Heartbeat.objects.update(at=timezone.now())
    clock.shift(DAY)
    break_in_a_round(monkeypatch)
    found = Game.with_secrets.get(pk=game.pk)
    while found.waiting_for != bob:
        play_next(found)
        found = Game.with_secrets.get(pk=game.pk)
    assert game.seats.get(number=0).time_bank_left <= 2 * HOUR
    sweeper.sweep()
    assert game.seats.get(number=0).time_bank_left >= 5 * HOUR
    assert game.moves.filter(text="more time for 0").exists()


def test_owed_time_that_cannot_be_read_keeps_no_other_turn_from_ending(
    clock: Any, game: Game, owed: Game, start: NewGame, alice: User, bob: User
) -> None:
    other = without_grace(start(alice, bob, preset="course", terms={"pace": 3600}))
    Heartbeat.objects.filter(name__startswith=outages.OWED_MARK).update(detail="unreadable")
    clock.shift(2 * HOUR)
    Heartbeat.objects.filter(name=outages.SWEEPER).update(at=timezone.now())
    sweeper.sweep()
    assert other.moves.exists()
    assert not owed.moves.exists()
    assert TaskFailure.objects.filter(task="giving time back").exists()


def test_extra_time_that_failed_is_paid_in_full(
    clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(outages, "enter_ruling", fail)
        outages.extend(2 * DAY)
    assert deadline(game) == game.deadline
    outages.pay_back()
    assert deadline(game) == game.deadline + 2 * DAY


def test_owed_time_waits_while_the_game_is_paused(clock: Any, owed: Game) -> None:
    Game.objects.filter(pk=owed.pk).update(paused=timezone.now(), held_at=timezone.now())
    sweeper.sweep()
    Game.objects.filter(pk=owed.pk).update(paused=None, held_at=None)
    sweeper.sweep()
    assert deadline(owed) == timezone.now() + 4 * HOUR


# -- Commands ------------------------------------------------------------------------------------------


def test_operator_gives_all_games_more_time(
    clock: Any, game: Game, start: NewGame, alice: User, bob: User, capsys: Any
) -> None:
    timeless = start(alice, bob, preset="course")
    clock.shift(2 * DAY)
    call_command("extend_deadlines", "5")
    assert capsys.readouterr().out == "5 hours more in 1 games\n"
    assert deadline(game) == timezone.now() + 5 * HOUR
    assert Game.objects.get(pk=timeless.pk).deadline is None


def test_operator_gives_one_game_more_time(game: Game, start: NewGame, alice: User, bob: User) -> None:
    other = start(alice, bob, preset="course", terms={"pace": 86400})
    call_command("extend_deadlines", "0.5", game.public_id)
    assert (deadline(game), deadline(other)) == (game.deadline + HOUR / 2, other.deadline)


def test_bad_arguments_are_refused_with_a_message(game: Game) -> None:
    for arguments, sentence in (
        (["0"], "more than 0"),
        (["-3"], "more than 0"),
        (["100000"], "at most"),
        (["2", "nosuchgame"], "No game has the ID nosuchgame"),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("extend_deadlines", "--", *arguments)
    assert deadline(game) == game.deadline
