"""While the site refuses requests, no turn ends, and the time of a long overload is given back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.clocks import overload
from games.clocks.overload import QUIET
from games.models import Game, Heartbeat, ProcessSign, Reliability
from games.play.deadlines import outages
from games.processes.process_signs import SignOfLife
from games.processes.refused_requests import RefusedRequests
from tests.support.games import NewGame, play_next
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import DAY, HOUR, deadline, without_grace

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.long]

ROUND = timedelta(seconds=10)
MINUTE = timedelta(minutes=1)
HALF_AN_HOUR = {"pace": 1800}


class WebProcess:
    """A web process that refuses requests when it is told to."""

    def __init__(self) -> None:
        self._refused = RefusedRequests()
        self._sign = SignOfLife(ProcessSign.Kind.WEB, refused=self._refused)
        self._sign.show()

    def refuse(self) -> None:
        self._refused.note()
        self._sign.show()


@pytest.fixture
def web(clock: Any) -> WebProcess:
    sweeper.sweep()
    return WebProcess()


@pytest.fixture
def game(web: WebProcess, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice has half an hour, with the sweeper at work."""
    with_mailbox(alice)
    return without_grace(start(alice, bob, preset="course", terms=HALF_AN_HOUR))


def refuse_for(time: timedelta, clock: Any, web: WebProcess) -> int:
    """Refuse requests for this long, with a round of the sweeper after each; return how many turns ended.

    For half an hour or more, every second round is skipped: an overload lasts longer than two rounds.
    """
    ended, until = 0, timezone.now() + time
    pause = 2 * ROUND if time >= 30 * MINUTE else ROUND
    while True:
        web.refuse()
        ended += sweeper.sweep()
        if timezone.now() >= until:
            return ended
        clock.shift(pause)


def become_quiet(clock: Any) -> int:
    """Let the overload end; return how many turns ended."""
    clock.shift(QUIET)
    return sweeper.sweep()


def decisions(user: User) -> tuple[int, int]:
    """The number of decisions with a time limit, and how many of them were late."""
    return Reliability.objects.values_list("decisions", "late").get(user=user)


def rulings(game: Game) -> list[str]:
    return list(game.moves.filter(kind="ruling").values_list("text", flat=True))


def test_no_turn_ends_while_requests_are_refused(clock: Any, web: WebProcess, game: Game) -> None:
    clock.move_to(game.deadline - MINUTE)
    sweep_and_settle(clock)
    assert refuse_for(3 * MINUTE, clock, web) == 0
    assert become_quiet(clock) == 0
    # The time that was left when it began.
    assert deadline(game) == timezone.now() + MINUTE
    assert rulings(game) == ["more time for 0"]


def test_turn_that_ends_in_an_overload_is_detected(
    clock: Any, web: WebProcess, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a sweeper that does not see that requests are refused."""
    monkeypatch.setattr(overload, "underway", lambda: None)
    with pytest.raises(AssertionError):
        test_no_turn_ends_while_requests_are_refused(clock, web, game)


def test_time_that_is_not_given_back_is_detected(
    clock: Any, web: WebProcess, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a sweeper that waits for the end of an overload, and then ends the turns."""
    monkeypatch.setattr(outages, "_follow_overload", lambda now, settle: None)
    with pytest.raises(AssertionError):
        test_no_turn_ends_while_requests_are_refused(clock, web, game)


def sweep_and_settle(clock: Any) -> None:
    """Let the sweeper run without the time before this counting as an outage."""
    Heartbeat.objects.exclude(name=overload.USED_MARK).update(at=timezone.now())
    sweeper.sweep()


def test_turn_ends_after_the_time_that_was_given_back(clock: Any, web: WebProcess, game: Game) -> None:
    clock.move_to(game.deadline - MINUTE)
    sweep_and_settle(clock)
    refuse_for(3 * MINUTE, clock, web)
    become_quiet(clock)
    clock.shift(MINUTE)
    assert sweeper.sweep() == 1


def test_single_refusal_only_lets_turns_wait(clock: Any, web: WebProcess, game: Game) -> None:
    clock.move_to(game.deadline)
    Heartbeat.objects.update(at=timezone.now())
    web.refuse()
    assert sweeper.sweep() == 0
    assert become_quiet(clock) == 1
    assert "more time for 0" not in rulings(game)


def test_players_with_days_left_get_nothing_for_minutes(
    clock: Any, web: WebProcess, game: Game, start: NewGame, alice: User, bob: User
) -> None:
    slow = start(alice, bob, preset="course", terms={"pace": 3 * 86400})
    refuse_for(2 * MINUTE, clock, web)
    become_quiet(clock)
    assert deadline(slow) == slow.deadline
    assert deadline(game) == game.deadline + 2 * MINUTE + QUIET


def test_long_overload_gives_everybody_the_time_back(
    clock: Any, web: WebProcess, start: NewGame, alice: User, bob: User
) -> None:
    slow = start(alice, bob, preset="course", terms={"pace": 3 * 86400})
    clock.shift(MINUTE)
    refuse_for(HOUR, clock, web)
    become_quiet(clock)
    assert deadline(slow) == slow.deadline + HOUR + QUIET


def test_clocks_run_again_in_an_overload_without_end(clock: Any, web: WebProcess, game: Game) -> None:
    """Nobody can stop all clocks for ever by sending many requests."""
    clock.move_to(game.deadline - MINUTE)
    sweep_and_settle(clock)
    assert refuse_for(HOUR, clock, web) == 0
    assert refuse_for(10 * MINUTE, clock, web) == 1


def test_overload_without_end_is_detected(
    clock: Any, web: WebProcess, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site whose clocks stop for as long as it refuses requests ends no turn."""
    monkeypatch.setattr(overload, "BUDGET", timedelta(days=100))
    with pytest.raises(AssertionError):
        test_clocks_run_again_in_an_overload_without_end(clock, web, game)


def test_overloads_of_a_day_share_an_hour_that_comes_back(
    clock: Any, web: WebProcess, start: NewGame, alice: User, bob: User
) -> None:
    slow = without_grace(start(alice, bob, preset="course", terms={"pace": 10 * 86400}))
    refuse_for(50 * MINUTE, clock, web)
    become_quiet(clock)
    given = deadline(slow)
    assert given > slow.deadline
    refuse_for(40 * MINUTE, clock, web)
    become_quiet(clock)
    assert deadline(slow) - given < 20 * MINUTE
    clock.shift(DAY)
    sweep_and_settle(clock)
    given = deadline(slow)
    refuse_for(30 * MINUTE, clock, web)
    become_quiet(clock)
    assert deadline(slow) == given + 30 * MINUTE + QUIET


def test_decision_asked_in_an_overload_gets_no_more_than_the_whole_time(
    clock: Any, web: WebProcess, game: Game
) -> None:
    refuse_for(2 * MINUTE, clock, web)
    play_next(game)
    clock.shift(timedelta(seconds=2))
    refuse_for(2 * MINUTE, clock, web)
    become_quiet(clock)
    assert deadline(game) == timezone.now() + 30 * MINUTE


def test_move_in_an_overload_is_not_late(clock: Any, web: WebProcess, game: Game, alice: User) -> None:
    clock.move_to(game.deadline - MINUTE)
    sweep_and_settle(clock)
    refuse_for(2 * MINUTE, clock, web)
    play_next(game)
    assert decisions(alice) == (1, 0)


def test_move_just_after_a_refusal_is_not_late(clock: Any, web: WebProcess, game: Game, alice: User) -> None:
    """The sweeper has stored nothing yet."""
    clock.move_to(game.deadline - timedelta(seconds=1))
    web.refuse()
    clock.shift(timedelta(seconds=5))
    play_next(game)
    assert decisions(alice) == (1, 0)


def test_move_that_was_late_before_the_overload_stays_late(
    clock: Any, web: WebProcess, game: Game, alice: User
) -> None:
    clock.move_to(game.deadline + timedelta(seconds=1))
    web.refuse()
    play_next(game)
    assert decisions(alice) == (1, 1)


def test_time_bank_does_not_run_in_an_overload(
    clock: Any, web: WebProcess, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 180, "bank": 1200})
    seat = game.seats.get(number=game.seat_to_move)
    clock.shift(5 * MINUTE)
    sweep_and_settle(clock)
    refuse_for(4 * MINUTE, clock, web)
    play_next(game)
    seat.refresh_from_db()
    # Twenty minutes, less the five before, and three for the move.
    assert seat.time_bank_left == 18 * MINUTE


def test_outage_after_an_overload_is_given_back_once(clock: Any, web: WebProcess, game: Game) -> None:
    refuse_for(MINUTE, clock, web)
    clock.shift(DAY)
    sweeper.sweep()
    assert deadline(game) == timezone.now() + 30 * MINUTE
    assert not Heartbeat.objects.filter(name=overload.MARK).exists()
    clock.shift(ROUND)
    sweeper.sweep()
    assert rulings(game) == ["more time for 0"]


def test_overload_that_lasts_through_an_outage_counts_from_its_end(
    clock: Any, web: WebProcess, game: Game
) -> None:
    refuse_for(MINUTE, clock, web)
    clock.shift(DAY)
    refuse_for(MINUTE, clock, web)
    assert rulings(game) == ["more time for 0"]
    become_quiet(clock)
    assert deadline(game) == timezone.now() + 30 * MINUTE
