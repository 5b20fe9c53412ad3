"""Twins of the races: each breaks a check of order, and a race notices it."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.clocks import game_clock
from games.lobby import join_check
from games.models import Game, LogEntry
from games.play import turn_check
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from tests.safety import clock_races, move_races, seat_races, stored_answer_races
from tests.safety.race_stage import Race, Stage
from tests.support.games import play_next
from tests.support.locks import without_row_locks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

# Two calls meet by chance; a twin ends with the first round in which they do.
ROUNDS = 60


@pytest.fixture
def stage(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Stage]:
    threads = 16 if connection.vendor == "postgresql" else 8
    with Stage(word=request.config.getoption("--deal"), threads=threads) as stage:
        yield stage


@pytest.fixture
def without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    without_row_locks(monkeypatch)


@pytest.fixture
def without_the_constraint() -> Iterator[None]:
    """Allow two log entries with the same number."""
    [constraint] = [one for one in LogEntry._meta.constraints if one.name == "one_entry_a_number"]
    if connection.vendor == "postgresql":
        with connection.schema_editor() as editor:
            editor.remove_constraint(LogEntry, constraint)
    yield
    if connection.vendor == "postgresql":
        LogEntry.objects.all()._raw_delete(connection.alias)
        with connection.schema_editor() as editor:
            editor.add_constraint(LogEntry, constraint)


def notices(stage: Stage, race: Race) -> str:
    """Return the failure that a race reports."""
    with pytest.raises(AssertionError) as found:
        for number in range(ROUNDS):
            stage.run(race, number)
    return str(found.value)


@pytest.mark.parametrize(
    "race",
    [
        move_races.different_moves,
        move_races.a_person_the_clock_and_a_computer,
        stored_answer_races.a_step_taken_back_and_the_next_decision,
        stored_answer_races.an_order_and_an_own_answer,
        stored_answer_races.conceding_and_a_move,
        seat_races.a_crowd_for_one_seat,
        seat_races.a_seat_that_many_adopt,
        seat_races.a_ready_check_and_its_end,
    ],
    ids=lambda race: race.__name__,
)
def test_actions_without_a_lock_are_detected(stage: Stage, without_the_lock: None, race: Race) -> None:
    assert "round" in notices(stage, race)


def test_two_entries_with_one_number_are_detected(
    stage: Stage, without_the_lock: None, without_the_constraint: None
) -> None:
    assert "server error" not in notices(stage, move_races.different_moves)


def test_stale_moves_called_a_success_are_detected(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def success(game: Game, number: int, *answer: Any) -> LogEntry:
        return game.moves.get(number=number)

    monkeypatch.setattr(turn_check, "find_repeat", success)
    assert "a success was told that was none" in notices(stage, move_races.different_moves)


def test_move_with_an_unchecked_number_is_detected(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:

    @transaction.atomic
    def next_place(*, game_id: int, number: int, **more: Any) -> LogEntry:
        return play_move(game_id=game_id, number=lock_game(game_id).version + 1, **more)

    monkeypatch.setattr("tests.safety.race_stage.play_move", next_place)
    assert "round" in notices(stage, move_races.different_moves)


def test_timeout_settled_without_checks_is_detected(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    @transaction.atomic
    def decide(game_id: int, version: int) -> bool:
        game = lock_game(game_id)
        play_next(game, by=None, overdue=True)
        return True

    monkeypatch.setattr(move_races, "settle_timeout", decide)
    monkeypatch.setattr(turn_check, "game_clock", SimpleNamespace(is_time_up=lambda game: True))
    assert "round" in notices(stage, move_races.a_person_the_clock_and_a_computer)


def test_timeout_settled_before_the_round_trip_is_detected(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_time_up(game: Game) -> bool:
        return game.deadline is not None and game.deadline <= timezone.now()

    monkeypatch.setattr(game_clock, "is_time_up", is_time_up)
    assert "the site decided too early" in notices(stage, clock_races.the_last_instant)


def test_joining_without_a_check_for_a_free_seat_is_detected(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join_check, "reason_against", lambda *nothing: None)
    assert "round" in notices(stage, seat_races.a_crowd_for_one_seat)
