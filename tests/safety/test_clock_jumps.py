"""Nobody times out early, whatever the clocks of machines and time zones do."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.clocks import game_clock
from games.clocks.clock_hours import ClockHours
from games.lobby.game_start import start_game
from games.models import Game, Heartbeat
from games.play.deadlines import outages, vacation_clocks
from games.play.deadlines.outages import record_heartbeat
from games.play.deadlines.overdue import settle_timeout
from games.play.deadlines.vacation_clocks import apply_vacations, plan_vacation

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
# A Wednesday, by day in Europe.
NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)

# Fast games, with everything that stops clocks.
TERMS: dict[str, dict[str, Any]] = {
    "a quick game": {"pace": 1800},
    "a day": {"pace": 86400},
    "no nights": {"pace": 1800, "off": Game.ClockPauses.NIGHTS},
    "no weekends": {"pace": 1800, "off": Game.ClockPauses.WEEKENDS},
    "neither": {"pace": 1800, "off": Game.ClockPauses.BOTH},
    "a bank": {"pace": 600, "bank": 2400, "cap": 3000},
    "a vote on who is late": {"pace": 1800, "overrun": Game.OnTimeout.VOTE},
    "a computer takes the seat": {"pace": 1800, "overrun": Game.OnTimeout.TAKE},
}


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def people() -> list[User]:
    return [User.objects.create_user(name, time_zone="Europe/Berlin") for name in ("alice", "bob")]


def games(people: list[User]) -> list[Game]:
    """A game of each kind, without grace left."""
    made = [
        start_game(
            system="acquire", preset="course", host=people[0], players=people, skips=False, name=name, **terms
        )
        for name, terms in TERMS.items()
    ]
    for game in made:
        game.seats.update(grace_used=True)
    return made


def now_of(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def left(game: Game) -> timedelta:
    """Return the time left to the decider."""
    return game_clock.remaining(now_of(game))


def sweep_for(clock: Any, time: timedelta, step: timedelta = timedelta(seconds=10)) -> None:
    """Sweep at intervals while this much time passes."""
    until = timezone.now() + time
    while timezone.now() < until:
        clock.shift(min(step, until - timezone.now()))
        sweeper.sweep()


def check_nobody_timed_out(made: list[Game]) -> None:
    for game in made:
        moves = game.moves.exclude(text__startswith="more time").exclude(text__in=["pause", "resume"])
        assert not moves.exists(), f"{game.name}: {[str(entry) for entry in moves]}"


# -- Clocks of machines -----------------------------------------------------------------------------------


def forward(clock: Any, made: list[Game]) -> None:
    """Move the clock an hour ahead; everybody keeps the time left."""
    sweep_for(clock, MINUTE)
    before = {game.pk: left(game) for game in made}
    clock.shift(HOUR)
    sweeper.sweep()
    check_nobody_timed_out(made)
    for game in made:
        assert before[game.pk] - left(game) <= 10 * timedelta(seconds=1), game.name


def test_clock_that_jumps_ahead_takes_no_time(clock: Any, people: list[User]) -> None:
    forward(clock, games(people))


def test_missing_heartbeat_is_detected(
    clock: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a sweeper that does not notice the jump."""
    monkeypatch.setattr(outages, "record_heartbeat", lambda: 0)
    with pytest.raises(AssertionError):
        forward(clock, games(people))


def test_clock_that_jumps_ahead_during_a_sweep_takes_no_time(
    clock: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = games(people)
    sweep_for(clock, MINUTE)
    before = {game.pk: left(game) for game in made}
    stop_and_go = apply_vacations

    def jump() -> None:
        clock.shift(HOUR)
        stop_and_go()

    with monkeypatch.context() as patch:
        patch.setattr(vacation_clocks, "apply_vacations", jump)
        sweeper.sweep()
    sweep_for(clock, MINUTE / 6)
    check_nobody_timed_out(made)
    assert all(before[game.pk] - left(game) <= MINUTE for game in made)


def back_and_right_again(clock: Any, people: list[User]) -> None:
    """Set the clock back by an hour and right again; players asked meanwhile lose nothing."""
    before = games(people)
    sweep_for(clock, MINUTE)
    clock.shift(-HOUR)
    sweep_for(clock, MINUTE)
    meanwhile = games(people)
    sweep_for(clock, MINUTE)
    clock.shift(HOUR)
    sweeper.sweep()
    check_nobody_timed_out([*before, *meanwhile])
    for game in meanwhile:
        whole = game_clock.full_time(now_of(game), game.seats.get(number=now_of(game).seat_to_move))
        assert whole - left(game) <= 2 * MINUTE, game.name
    for game in before:
        assert left(game) >= game_clock.time_per_move(game) - 3 * MINUTE, game.name


def test_clock_that_jumps_back_and_is_corrected_takes_no_time(clock: Any, people: list[User]) -> None:
    back_and_right_again(clock, people)


def test_heartbeat_that_stays_ahead_is_detected(
    clock: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a heartbeat that never goes back misses the correction."""
    monkeypatch.setattr(outages, "_was_set_back", lambda now: False)
    with pytest.raises(AssertionError):
        back_and_right_again(clock, people)


def test_two_sweepers_with_different_clocks_give_no_time(
    clock: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = games(people)
    before = {game.pk: now_of(game).deadline for game in made}
    last: dict[int, Any] = {0: None, 1: None}
    for beat in range(12):
        ahead = beat % 2
        clock.shift(10 * MINUTE if ahead else -10 * MINUTE)
        clock.shift(timedelta(seconds=5))
        # Each is a process of its own, which has seen its own clock only.
        monkeypatch.setattr(outages, "_last", last[ahead])
        record_heartbeat()
        last[ahead] = outages._last
    # The first reading of a clock that is ahead looks like a jump; it is the only one.
    assert all(game.moves.count() <= 1 for game in made)
    assert all(now_of(game).deadline - before[game.pk] <= 11 * MINUTE for game in made)


def test_vacation_ended_too_early_by_a_wrong_clock_costs_nothing(clock: Any, people: list[User]) -> None:
    made = games(people)
    for user in people:
        plan_vacation(user=user, first=NOON.date(), last=NOON.date())
    before = {game.pk: left(game) for game in made}
    assert all(now_of(game).time_left is not None for game in made)
    clock.move_to(datetime(2026, 5, 6, 21, 30, tzinfo=UTC))  # half an hour before midnight in Berlin
    Heartbeat.objects.update(at=timezone.now())
    sweep_for(clock, MINUTE)
    clock.shift(HOUR)
    sweep_for(clock, MINUTE)
    clock.shift(-HOUR)
    sweep_for(clock, MINUTE)
    check_nobody_timed_out(made)
    assert all(before[game.pk] - left(game) <= 2 * MINUTE for game in made)
    clock.move_to(datetime(2026, 5, 6, 22, 1, tzinfo=UTC))
    sweeper.sweep()
    check_nobody_timed_out(made)
    assert all(before[game.pk] - left(game) <= 3 * MINUTE for game in made)


# -- Clocks of time zones -----------------------------------------------------------------------------------

# Clock changes in 2026, in zones that change at night, by half an hour, at midnight, and never.
CHANGES = {
    "Europe/Berlin": ("2026-03-29 01:00", "2026-10-25 01:00"),
    "America/New_York": ("2026-03-08 07:00", "2026-11-01 06:00"),
    "Australia/Lord_Howe": ("2026-04-04 15:00", "2026-10-03 15:30"),
    "America/Santiago": ("2026-04-05 03:00", "2026-09-06 04:00"),
    "Asia/Kolkata": ("2026-03-29 01:00", "2026-10-25 01:00"),
}


def around_changes(rng: Random) -> Iterator[tuple[str, datetime]]:
    """Moments in the three days around each clock change."""
    for zone, changes in CHANGES.items():
        for change in changes:
            moment = datetime.fromisoformat(change).replace(tzinfo=UTC)
            yield zone, moment + timedelta(minutes=rng.randrange(-36 * 60, 36 * 60))


def lives_on_until_the_deadline(clock: Any, people: list[User], rng: Random) -> None:
    """Check that a player times out after exactly the time that the game gives."""
    for zone, moment in around_changes(rng):
        User.objects.update(time_zone=zone)
        clock.move_to(moment)
        Heartbeat.objects.update(at=timezone.now())
        for user in people:
            user.refresh_from_db()
        made = games(people)
        for game in made:
            deadline = now_of(game).deadline
            assert deadline is not None
            clock.move_to(deadline - timedelta(microseconds=1))
            assert settle_timeout(game.pk, 0) is False, (zone, moment, game.name)
            clock.move_to(deadline)
            assert settle_timeout(game.pk, 0), (zone, moment, game.name)
            awake = _by_hand(moment, deadline, zone, game)
            assert awake >= game_clock.full_time(game, game.seats.get(number=game.seat_to_move)) - MINUTE
            clock.move_to(moment)
        Game.objects.update(status=Game.Status.FINISHED, finished=moment, deadline=None, waiting_for=None)
        for user in people:
            user.seats.update(ended=timezone.now())


def _by_hand(start: datetime, end: datetime, zone: str, game: Game) -> timedelta:
    """Count the time between two moments minute by minute, by the local wall clock."""
    home, total = people_zone(zone), timedelta()
    while start < end:
        there = start.astimezone(home)
        night = (
            game.clock_pauses in (Game.ClockPauses.NIGHTS, Game.ClockPauses.BOTH) and not 7 <= there.hour < 23
        )
        weekend = (
            game.clock_pauses in (Game.ClockPauses.WEEKENDS, Game.ClockPauses.BOTH) and there.weekday() >= 5
        )
        total += timedelta() if night or weekend else MINUTE
        start += MINUTE
    return total


def people_zone(name: str) -> Any:
    return User(time_zone=name).tzinfo


def test_clock_change_takes_no_time(clock: Any, people: list[User], request: Any) -> None:
    lives_on_until_the_deadline(clock, people, Random(request.config.getoption("--deal")))


def test_counting_hours_at_night_is_detected(
    clock: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a clock that ignores nights and weekends."""
    monkeypatch.setattr(game_clock, "hours", lambda game: ClockHours())
    with pytest.raises(AssertionError):
        for word in range(5):
            lives_on_until_the_deadline(clock, people, Random(word))
