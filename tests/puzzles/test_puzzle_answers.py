"""The first answer to a puzzle counts, on its day only, and makes a streak."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Puzzle, PuzzleAnswer
from games.puzzles import puzzle_calendar
from games.puzzles.puzzle_answers import Streak, answer_puzzle, streak_of
from tests.puzzles.made_puzzles import house_source, legal_answers, make_puzzle
from tests.support.clients import client_of

pytestmark = pytest.mark.django_db

FIRST = date(2026, 11, 20)


@pytest.fixture
def clock() -> Iterator[Any]:
    """A clock that stands at noon of the first day; `move_to` sets it."""
    with time_machine.travel(datetime(2026, 11, 20, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def week(clock: Any) -> list[Puzzle]:
    """Puzzles for the first seven days."""
    return [make_puzzle(day=FIRST + timedelta(days=number)) for number in range(7)]


def answer(puzzle: Puzzle, user: User, *, right: bool = True) -> PuzzleAnswer:
    return answer_puzzle(puzzle=puzzle, user=user, move=puzzle.best if right else legal_answers(puzzle)[1])


def on_day(clock: Any, number: int, hour: int = 12) -> None:
    clock.move_to(datetime(2026, 11, 20, hour, tzinfo=UTC) + timedelta(days=number))


def test_only_the_first_answer_is_taken(week: list[Puzzle], alice: User) -> None:
    first = answer(week[0], alice, right=False)
    again = answer(week[0], alice)
    assert again.pk == first.pk and not again.right
    assert PuzzleAnswer.objects.count() == 1


def test_answer_is_compared_in_the_notation_of_the_rules(week: list[Puzzle], alice: User) -> None:
    given = answer_puzzle(puzzle=week[0], user=alice, move=f"  {week[0].best.upper()} ")
    assert given.right and given.move == week[0].best


@pytest.mark.parametrize("move", ["", "dance", "x" * 5000, "place 13Z", "place\x00 1A"])
def test_answer_that_is_no_move_is_refused(week: list[Puzzle], alice: User, move: str) -> None:
    with pytest.raises(InvalidMove):
        answer_puzzle(puzzle=week[0], user=alice, move=move)
    assert not PuzzleAnswer.objects.exists()


def test_illegal_answer_is_refused(week: list[Puzzle], alice: User) -> None:
    with pytest.raises(IllegalMove):
        answer_puzzle(puzzle=week[0], user=alice, move="survivor tower")
    assert not PuzzleAnswer.objects.exists()


def test_right_answers_on_successive_days_make_a_streak(
    week: list[Puzzle], alice: User, bob: User, clock: Any
) -> None:
    for number in range(4):
        on_day(clock, number)
        assert answer(week[number], alice).streak == number + 1
    assert streak_of(alice) == Streak(4, 4)
    assert streak_of(bob) == Streak()


def test_streak_survives_until_the_end_of_the_day(week: list[Puzzle], alice: User, clock: Any) -> None:
    answer(week[0], alice)
    on_day(clock, 1, hour=23)
    assert streak_of(alice).current == 1
    on_day(clock, 2, hour=0)
    assert streak_of(alice) == Streak(0, 1)


def test_missed_day_ends_the_streak(week: list[Puzzle], alice: User, clock: Any) -> None:
    answer(week[0], alice)
    on_day(clock, 1)
    answer(week[1], alice)
    on_day(clock, 3)
    assert answer(week[3], alice).streak == 1
    assert streak_of(alice) == Streak(1, 2)


def test_wrong_answer_ends_the_streak(week: list[Puzzle], alice: User, clock: Any) -> None:
    answer(week[0], alice)
    on_day(clock, 1)
    assert answer(week[1], alice, right=False).streak == 0
    assert streak_of(alice) == Streak(0, 1)
    on_day(clock, 2)
    assert answer(week[2], alice).streak == 1


def test_late_answer_does_not_count(week: list[Puzzle], alice: User, clock: Any) -> None:
    answer(week[0], alice)
    on_day(clock, 2)
    late = answer(week[1], alice)
    assert late.right and late.day is None and late.streak == 0
    assert streak_of(alice) == Streak(0, 1)
    assert answer(week[2], alice).streak == 1


def test_day_without_a_puzzle_keeps_the_streak(alice: User, clock: Any) -> None:
    answer(make_puzzle(day=FIRST), alice)
    on_day(clock, 3)
    assert answer(make_puzzle(day=FIRST + timedelta(days=3)), alice).streak == 2


def test_replacement_puzzle_does_not_count_for_those_who_answered_the_first(
    week: list[Puzzle], alice: User, bob: User
) -> None:
    answer(week[0], alice)
    Puzzle.objects.filter(pk__in=[week[0].pk, week[6].pk]).update(day=None)
    Puzzle.objects.filter(pk=week[6].pk).update(day=FIRST)
    new = Puzzle.objects.get(day=FIRST)
    assert answer(new, alice, right=False).day is None
    assert streak_of(alice).current == 1
    assert answer(new, bob).day == FIRST


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu"])
def test_days_are_those_of_utc_in_every_time_zone(alice: User, clock: Any, zone: str) -> None:
    alice.time_zone = zone
    alice.save(update_fields=["time_zone"])
    make_puzzle(house_source(1), FIRST)
    make_puzzle(house_source(2), FIRST + timedelta(days=1))
    client = client_of(alice)
    for hour, day in ((0, "2026-11-20"), (23, "2026-11-20"), (24, "2026-11-21")):
        clock.move_to(datetime(2026, 11, 20, tzinfo=UTC) + timedelta(hours=hour))
        assert puzzle_calendar.today().isoformat() == day
        assert f'action="/puzzle/{day}/"' in client.get("/puzzle/").content.decode()
