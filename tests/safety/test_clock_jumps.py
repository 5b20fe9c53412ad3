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
from games.clocks import game_clock, machine_clock
from games.clocks.clock_hours import ClockHours
from games.lobby.game_start import start_game
from games.models import Game, Heartbeat
from games.play.deadlines import clock_watch, outages, vacation_clocks
from games.play.deadlines.overdue import settle_timeout
from games.play.deadlines.vacation_clocks import apply_vacations, plan_vacation
from games.realtime import worker_queue
from tests.support import wording

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
    wording.COMPUTER_TAKES_THE_SEAT: {"pace": 1800, "overrun": Game.OnTimeout.TAKE},
}


class Machine:
    """A machine on which time goes by, and whose wall clock can be set."""

    def __init__(self, traveller: Any) -> None:
        self._traveller = traveller
        self._set_by = timedelta()
        self.offset: timedelta | None = None

    def shift(self, time: timedelta) -> None:
        """Let time go by."""
        self._traveller.shift(time)

    def move_to(self, moment: datetime) -> None:
        """Let time go by until this moment."""
        self._traveller.move_to(moment)

    def set_clock(self, ahead: timedelta) -> None:
        """Set the wall clock; the steady clock of the machine does not notice."""
        self._traveller.shift(ahead)
        self._set_by += ahead

    def set_sweepers_clock(self, ahead: timedelta) -> None:
        """Set the wall clock; that of the database, on another machine, stays right."""
        self.set_clock(ahead)
        self.offset = (self.offset or timedelta()) + ahead

    def steady(self) -> float:
        return timezone.now().timestamp() - self._set_by.total_seconds()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    with time_machine.travel(NOON, tick=False) as traveller:
        machine = Machine(traveller)
        monkeypatch.setattr(machine_clock, "steady", machine.steady)
        monkeypatch.setattr(machine_clock, "database_offset", lambda: machine.offset)
        yield machine


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


def deadlines(made: list[Game]) -> dict[int, datetime | None]:
    return {game.pk: now_of(game).deadline for game in made}


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the code on purpose: the sweeper trusts its clock, whatever it shows."""
    monkeypatch.setattr(outages, "find_clock_fault", lambda: "")


def wrong_for_some_rounds(clock: Machine, made: list[Game], ahead: timedelta) -> None:
    """A clock that is wrong for some rounds moves no deadline, and its time is written nowhere."""
    sweep_for(clock, MINUTE)
    before, beat = deadlines(made), Heartbeat.objects.get(name=outages.SWEEPER).at
    clock.set_clock(ahead)
    sweep_for(clock, MINUTE / 2)
    assert clock_watch.current_doubt()
    assert Heartbeat.objects.get(name=outages.SWEEPER).at == beat
    assert deadlines(made) == before
    clock.set_clock(-ahead)
    sweep_for(clock, MINUTE / 2)
    check_nobody_timed_out(made)
    assert not clock_watch.current_doubt()
    assert all(now_of(game).deadline >= before[game.pk] for game in made)
    if ahead > timedelta():
        assert deadlines(made) == before


@pytest.mark.parametrize(
    "ahead", [365 * 24 * HOUR, HOUR, 2 * MINUTE, -2 * MINUTE, -HOUR, -365 * 24 * HOUR], ids=str
)
def test_clock_that_is_wrong_for_some_rounds_moves_no_deadline(
    clock: Machine, people: list[User], ahead: timedelta
) -> None:
    wrong_for_some_rounds(clock, games(people), ahead)


@pytest.mark.parametrize("ahead", [365 * 24 * HOUR, HOUR], ids=str)
def test_sweeper_that_trusts_any_clock_would_be_noticed(
    clock: Machine, people: list[User], ahead: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: one round with a wrong clock moves all deadlines."""
    blind(monkeypatch)
    with pytest.raises(AssertionError):
        wrong_for_some_rounds(clock, games(people), ahead)


def never_late_by_a_wrong_clock(clock: Machine, made: list[Game]) -> None:
    """Nobody is late while the sweeper's clock differs from the database's, however long."""
    sweep_for(clock, MINUTE)
    clock.set_sweepers_clock(2 * MINUTE)
    for _ in range(60):
        clock.shift(10 * MINUTE)
        sweeper.sweep()
    check_nobody_timed_out(made)
    assert "database" in clock_watch.current_doubt()
    clock.set_sweepers_clock(-2 * MINUTE)
    sweeper.sweep()
    check_nobody_timed_out(made)
    assert all(left(game) >= game_clock.time_per_move(game) - 3 * MINUTE for game in made)


def test_clock_that_differs_from_the_database_ends_no_turn(clock: Machine, people: list[User]) -> None:
    never_late_by_a_wrong_clock(clock, games(people))


def test_sweeper_that_does_not_ask_the_database_would_be_noticed(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: turns end by a clock that is wrong."""
    blind(monkeypatch)
    monkeypatch.setattr(outages, "OUTAGE_AFTER", HOUR)
    with pytest.raises(AssertionError):
        never_late_by_a_wrong_clock(clock, games(people))


def forward(clock: Machine, made: list[Game]) -> None:
    """A clock that goes ahead by an hour, and is then said to be right, leaves everybody what was left."""
    sweep_for(clock, MINUTE)
    before = {game.pk: left(game) for game in made}
    clock.set_clock(HOUR)
    sweep_for(clock, MINUTE)
    clock_watch.accept()
    sweeper.sweep()
    check_nobody_timed_out(made)
    for game in made:
        assert before[game.pk] - left(game) <= 10 * timedelta(seconds=1), game.name


def test_clock_that_jumps_ahead_takes_no_time(clock: Machine, people: list[User]) -> None:
    forward(clock, games(people))


def test_missing_heartbeat_is_detected(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a sweeper that does not notice that time has jumped."""
    blind(monkeypatch)
    monkeypatch.setattr(outages, "record_heartbeat", lambda: 0)
    with pytest.raises(AssertionError):
        forward(clock, games(people))


def test_clock_that_stays_where_it_jumped_is_trusted_after_an_hour(
    clock: Machine, people: list[User]
) -> None:
    made = games(people)
    sweep_for(clock, MINUTE)
    clock.set_clock(3 * HOUR)
    sweep_for(clock, HOUR - MINUTE, MINUTE)
    assert clock_watch.current_doubt()
    sweep_for(clock, 2 * MINUTE, MINUTE)
    assert not clock_watch.current_doubt()
    check_nobody_timed_out(made)
    assert all(left(game) >= game_clock.time_per_move(game) - 3 * MINUTE for game in made)


def test_clock_that_jumped_by_years_waits_for_a_person(clock: Machine, people: list[User]) -> None:
    made = games(people)
    sweep_for(clock, MINUTE)
    before = deadlines(made)
    clock.set_clock(1000 * 24 * HOUR)
    sweep_for(clock, 3 * HOUR, 10 * MINUTE)
    assert "jumped" in clock_watch.current_doubt()
    assert deadlines(made) == before


def test_sweeper_that_is_started_again_remembers_its_clock(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = games(people)
    monkeypatch.setattr(machine_clock, "boot", lambda: "this start of the machine")
    sweep_for(clock, MINUTE)
    before = deadlines(made)
    clock.set_clock(HOUR)
    monkeypatch.setattr(clock_watch, "_watch", clock_watch.ClockWatch())
    sweeper.sweep()
    assert "jumped 3600 s ahead" in clock_watch.current_doubt()
    assert deadlines(made) == before


def test_machine_that_starts_with_a_clock_of_the_past_ends_no_turn(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = games(people)
    sweep_for(clock, MINUTE)
    before = deadlines(made)
    clock.set_clock(-30 * 24 * HOUR)
    monkeypatch.setattr(clock_watch, "_watch", clock_watch.ClockWatch())
    sweep_for(clock, MINUTE)
    assert "behind the last heartbeat" in clock_watch.current_doubt()
    clock.set_clock(30 * 24 * HOUR)
    sweeper.sweep()
    assert not clock_watch.current_doubt()
    assert all(left(game) >= game_clock.time_per_move(game) - 3 * MINUTE for game in made)
    assert all(now_of(game).deadline >= before[game.pk] for game in made)


def test_clock_that_jumps_ahead_during_a_sweep_takes_no_time(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = games(people)
    sweep_for(clock, MINUTE)
    before = {game.pk: left(game) for game in made}
    stop_and_go = apply_vacations

    def jump() -> None:
        clock.set_clock(HOUR)
        stop_and_go()

    with monkeypatch.context() as patch:
        patch.setattr(vacation_clocks, "apply_vacations", jump)
        sweeper.sweep()
    sweep_for(clock, MINUTE / 6)
    clock.set_clock(-HOUR)
    sweep_for(clock, MINUTE / 6)
    check_nobody_timed_out(made)
    assert all(before[game.pk] - left(game) <= MINUTE for game in made)


def back_and_right_again(clock: Machine, people: list[User]) -> None:
    """A clock is an hour behind for a while; who is asked meanwhile loses nothing when it is put right."""
    before = games(people)
    sweep_for(clock, MINUTE)
    clock.set_clock(-HOUR)
    sweep_for(clock, MINUTE)
    meanwhile = games(people)
    sweep_for(clock, MINUTE)
    clock.set_clock(HOUR)
    sweeper.sweep()
    check_nobody_timed_out([*before, *meanwhile])
    for game in meanwhile:
        whole = game_clock.full_time(now_of(game), game.seats.get(number=now_of(game).seat_to_move))
        assert whole - left(game) <= 2 * MINUTE, game.name
    for game in before:
        assert left(game) >= game_clock.time_per_move(game) - 4 * MINUTE, game.name


def test_clock_that_jumps_back_and_is_corrected_takes_no_time(clock: Machine, people: list[User]) -> None:
    back_and_right_again(clock, people)


def test_decisions_that_were_asked_by_a_wrong_clock_would_be_noticed(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a sweeper that forgets its doubt does not see what is lost when the clock is right."""
    monkeypatch.setattr(clock_watch, "end_doubt", lambda: None)
    with pytest.raises(AssertionError):
        back_and_right_again(clock, people)


def ahead_and_right_again(clock: Machine, people: list[User]) -> None:
    """A player asked while a clock is a year ahead has the whole time afterwards, and no more."""
    games(people)
    sweep_for(clock, MINUTE)
    clock.set_clock(365 * 24 * HOUR)
    sweep_for(clock, MINUTE)
    meanwhile = games(people)
    sweep_for(clock, MINUTE)
    clock.set_clock(-365 * 24 * HOUR)
    sweeper.sweep()
    for game in meanwhile:
        whole = game_clock.full_time(now_of(game), game.seats.get(number=now_of(game).seat_to_move))
        assert whole - 2 * MINUTE <= left(game) <= whole, game.name


def test_deadline_that_a_wrong_clock_has_set_is_set_anew(clock: Machine, people: list[User]) -> None:
    ahead_and_right_again(clock, people)


def test_deadline_in_a_year_would_be_noticed(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: what a wrong clock has set stays."""
    monkeypatch.setattr(clock_watch, "end_doubt", lambda: None)
    with pytest.raises(AssertionError):
        ahead_and_right_again(clock, people)


def test_what_needs_no_clock_is_done_while_it_is_wrong(
    clock: Machine, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = start_game(
        system="acquire", preset="course", host=people[0], players=[people[0], "random"], skips=False
    )
    Game.objects.filter(pk=made.pk).update(bot_due_at=timezone.now(), seat_to_move=1, waiting_for=None)
    asked: list[int] = []
    monkeypatch.setattr(worker_queue, "request_bot_move", lambda game_id, *_: asked.append(game_id) or True)
    sweeper.sweep()
    clock.set_clock(HOUR)
    sweeper.sweep()
    # By a right clock the move would count as neglected and be made without a search.
    assert asked == [made.pk]


def test_vacation_ended_too_early_by_a_wrong_clock_costs_nothing(clock: Machine, people: list[User]) -> None:
    made = games(people)
    for user in people:
        plan_vacation(user=user, first=NOON.date(), last=NOON.date())
    before = {game.pk: left(game) for game in made}
    assert all(now_of(game).time_left is not None for game in made)
    clock.move_to(datetime(2026, 5, 6, 21, 30, tzinfo=UTC))  # half an hour before midnight in Berlin
    Heartbeat.objects.update(at=timezone.now())
    sweep_for(clock, MINUTE)
    clock.set_clock(HOUR)
    sweep_for(clock, MINUTE)
    clock.set_clock(-HOUR)
    sweep_for(clock, MINUTE)
    check_nobody_timed_out(made)
    assert all(before[game.pk] == left(game) for game in made)
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
