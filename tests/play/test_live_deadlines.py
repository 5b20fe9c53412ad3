"""Deadlines of live games: settled at once, a round trip forgiven, and never for time the site was away."""

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import SiteSwitch, User
from games import sweeper
from games.clocks import game_clock, machine_clock, overload, site_presence
from games.clocks.site_presence import SEEN_MARK, WEB_MARK
from games.lobby import ready_check
from games.models import Game, Heartbeat, LogEntry
from games.play.deadlines import clock_watch, live_deadlines
from games.play.deadlines.live_deadlines import RETURN, LiveDeadlines, overdue_games
from games.play.deadlines.outages import record_heartbeat
from games.play.play_move import play_move
from games.refusals import NotOverdue
from tests.support import site_switches
from tests.support.games import NewGame, legal_move, play_next
from tests.support.timed_games import HOUR, deadline, sweep

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
# Less than a round trip of the network, and more than one.
IN_TIME, TOO_LATE = 0.8 * SECOND, 1.5 * SECOND


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveDeadlines]:
    """The loop of a sweeper whose machine has the clock of the test."""
    monkeypatch.setattr(
        machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), timezone.now().timestamp())
    )
    yield LiveDeadlines(ready_check.settle)


@pytest.fixture
def game(clock: Any, loop: LiveDeadlines, start: NewGame, alice: User, bob: User) -> Game:
    """A live game in which alice has three minutes, with the loop at work."""
    game = start(alice, bob, preset="course", terms={"pace": 30, "bank": 180, "cap": 180})
    loop.round()
    return game


def seen_to(moment: Any) -> None:
    """Let the site have been there up to that moment."""
    Heartbeat.objects.filter(name=SEEN_MARK).update(at=moment)


def go_on(clock: Any, loop: LiveDeadlines, moment: Any) -> int | None:
    """Run a round at that moment in a site that has been there all the time."""
    clock.move_to(moment)
    seen_to(timezone.now() - SECOND)
    return loop.round()


def left(game: Game) -> timedelta:
    return deadline(game) - timezone.now()


def about(seconds: float) -> Any:
    """Compare equal to a time that differs by what a few statements take."""
    return pytest.approx(seconds, abs=0.3)


def settled(game: Game) -> bool:
    return game.moves.filter(author=LogEntry.Author.HOUSE, kind="move").exists()


# -- In time -------------------------------------------------------------------------------------------


def test_timeout_is_settled_after_a_round_trip(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    assert go_on(clock, loop, deadline(game) + IN_TIME) == 0
    assert not settled(game)
    assert go_on(clock, loop, deadline(game) + TOO_LATE) == 1
    assert settled(game)


def test_move_within_the_round_trip_counts(clock: Any, loop: LiveDeadlines, game: Game, alice: User) -> None:
    go_on(clock, loop, deadline(game) + IN_TIME)
    assert play_next(Game.objects.get(pk=game.pk)).user == alice
    assert game.seats.get(user=alice).time_bank_left == timedelta(seconds=30)


def test_site_may_not_move_within_the_round_trip(clock: Any, game: Game) -> None:
    clock.move_to(deadline(game) + IN_TIME)
    asked = Game.with_secrets.get(pk=game.pk)
    with pytest.raises(NotOverdue):
        play_move(game_id=game.pk, number=1, seat=0, text=legal_move(asked), by=None, overdue=True)


def test_rounds_of_the_sweeper_leave_live_games_alone(clock: Any, game: Game) -> None:
    sweep()
    clock.move_to(deadline(game) + TOO_LATE)
    assert sweep() == 0
    assert not settled(game)


def test_live_rounds_leave_games_by_mail_alone(
    clock: Any, loop: LiveDeadlines, game: Game, start: NewGame, alice: User, bob: User
) -> None:
    mail = start(alice, bob, preset="course", terms={"pace": 3600})
    assert overdue_games(deadline(mail) + HOUR) == [(game.pk, game.version)]


def test_loop_forgets_its_heartbeats_when_no_live_game_runs(loop: LiveDeadlines, game: Game) -> None:
    assert Heartbeat.objects.filter(name__in=[SEEN_MARK, WEB_MARK]).count() == 2
    Game.objects.filter(pk=game.pk).update(deadline=None)
    assert loop.round() == 0
    Game.objects.filter(pk=game.pk).update(paused=timezone.now())
    assert loop.round() is None
    assert not Heartbeat.objects.filter(name__in=[SEEN_MARK, WEB_MARK]).exists()


def test_timeouts_are_found_by_their_index(game: Game) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite plans without figures.")
    with connection.cursor() as cursor:
        # Of few rows the planner may read all, or sort what another index finds; of many it never would.
        for way in ("seqscan", "bitmapscan", "sort"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
    late = Game.objects.filter(deadline__lte=timezone.now(), seconds_per_move__lte=120, paused=None)
    assert "game_live_deadline" in late.order_by("deadline").explain()


# -- The site away -------------------------------------------------------------------------------------


def test_absence_gives_back_the_time_left_before_it(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    go_on(clock, loop, deadline(game) - 100 * SECOND)
    clock.shift(30 * SECOND)
    loop.round()
    assert left(game).total_seconds() == about(100 + RETURN.total_seconds())
    assert game.moves.get().text == "more time for 0"


def test_absence_is_given_back_once(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    clock.shift(30 * SECOND)
    loop.round()
    loop.round()
    assert game.moves.count() == 1


def test_timeout_during_an_absence_is_not_settled(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    go_on(clock, loop, deadline(game) - 2 * SECOND)
    clock.shift(HOUR)
    assert loop.round() == 0
    assert not settled(game)
    assert left(game).total_seconds() == about(2 + RETURN.total_seconds())


def test_move_during_an_absence_costs_no_time(clock: Any, game: Game, alice: User) -> None:
    clock.shift(10 * SECOND)
    seen_to(timezone.now())
    clock.shift(60 * SECOND)
    play_next(Game.objects.get(pk=game.pk))
    assert game.seats.get(user=alice).time_bank_left == timedelta(seconds=180)


def test_outage_by_mail_gives_live_games_nothing_twice(
    clock: Any, loop: LiveDeadlines, game: Game, start: NewGame, alice: User, bob: User
) -> None:
    record_heartbeat()
    mail = start(alice, bob, preset="course", terms={"pace": 86400})
    clock.shift(HOUR)
    record_heartbeat()
    assert not game.moves.exists()
    assert mail.moves.exists()


def is_away(clock: Any, loop: LiveDeadlines, game: Game) -> bool:
    """Return whether rounds for five seconds after the time is up settle nothing."""
    go_on(clock, loop, deadline(game) - SECOND)
    for _ in range(5):
        clock.shift(SECOND)
        loop.round()
    return not settled(game)


def test_round_settles_while_the_site_is_there(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    assert not is_away(clock, loop, game)


def test_clock_stands_still_while_no_web_process_serves(
    clock: Any, loop: LiveDeadlines, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_presence, "web_silence", lambda: 3 * SECOND)
    assert is_away(clock, loop, game)


def test_clock_stands_still_while_redis_is_gone(
    clock: Any, loop: LiveDeadlines, game: Game, settings: Any
) -> None:
    settings.CHANNEL_URLS = ["redis://127.0.0.1:1/0"]
    settings.REDIS_TIMEOUT = 0.2
    assert is_away(clock, loop, game)


def test_clock_stands_still_in_an_overload(
    clock: Any, loop: LiveDeadlines, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "underway", lambda: SimpleNamespace(began=timezone.now()))
    assert is_away(clock, loop, game)


def test_clock_stands_still_while_the_site_is_read_only(clock: Any, loop: LiveDeadlines, game: Game) -> None:
    site_switches.turn(SiteSwitch.Kind.READING)
    assert is_away(clock, loop, game)


def test_clock_stands_still_while_the_machine_doubts_its_clock(
    clock: Any, loop: LiveDeadlines, game: Game
) -> None:
    Heartbeat.objects.create(name=clock_watch.DOUBT_MARK, at=timezone.now(), detail="it jumped")
    assert is_away(clock, loop, game)


def test_leap_of_the_clock_ends_no_turn(
    clock: Any, loop: LiveDeadlines, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = timezone.now().timestamp()
    monkeypatch.setattr(machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), began))
    clock.move_to(deadline(game) + HOUR)
    assert loop.round() == 0
    assert not game.moves.exists()


def test_clock_set_back_and_put_right_ends_no_turn(
    clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deadline set by the wrong clock lies an hour too early."""
    steady = [0.0]
    monkeypatch.setattr(machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), steady[0]))
    loop, right = LiveDeadlines(ready_check.settle), timezone.now()
    loop.round()
    clock.move_to(right - HOUR)
    loop.round()
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + 60 * SECOND)
    clock.move_to(right)
    loop.round()
    for _ in range(3):
        steady[0] += 10
        clock.shift(10 * SECOND)
        loop.round()
    assert not settled(game)
    assert left(game) > 30 * SECOND


def test_clock_that_stays_set_back_keeps_nobody_waiting(
    clock: Any, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady = [0.0]
    monkeypatch.setattr(machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), steady[0]))
    loop, right = LiveDeadlines(ready_check.settle), timezone.now()
    loop.round()
    clock.move_to(right - HOUR)
    for _ in range(3):
        loop.round()
        steady[0] += 10
        clock.shift(10 * SECOND)
    assert not settled(game)
    assert left(game) <= 180 * SECOND


def test_clocks_that_ran_out_before_the_loop_first_looked_get_their_time_back(
    clock: Any, loop: LiveDeadlines, game: Game
) -> None:
    site_presence.forget()
    clock.move_to(deadline(game) + HOUR)
    for _ in range(3):
        loop.round()
        clock.shift(SECOND)
    assert not settled(game)
    assert left(game) > 20 * SECOND


def test_web_process_shows_itself_only_while_live_games_run(loop: LiveDeadlines, game: Game) -> None:
    Heartbeat.objects.filter(name=WEB_MARK).update(at=Now() - timedelta(minutes=1))
    assert site_presence.web_silence() > timedelta(seconds=50)
    site_presence.show_web()
    assert site_presence.web_silence() < 20 * SECOND
    site_presence.forget()
    site_presence.show_web()
    assert not Heartbeat.objects.filter(name=WEB_MARK).exists()


def test_broken_game_holds_up_no_other(
    clock: Any,
    loop: LiveDeadlines,
    game: Game,
    start: NewGame,
    bob: User,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = start(bob, carol, preset="course", terms={"pace": 30, "bank": 180})
    settle = live_deadlines.overdue.settle_timeout

    def fail_in_one(game_id: int, version: int) -> bool:
        if game_id == game.pk:
            raise ValueError("broken")
        return settle(game_id, version)

    monkeypatch.setattr(live_deadlines.overdue, "settle_timeout", fail_in_one)
    assert go_on(clock, loop, deadline(other) + TOO_LATE) == 2
    assert settled(other)
    assert not settled(game)


def test_time_is_up_at_once_by_mail(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 3600})
    clock.move_to(deadline(game))
    assert game_clock.is_time_up(Game.objects.get(pk=game.pk))
    assert sweeper.ROUND_SECONDS > live_deadlines.ROUND_SECONDS
