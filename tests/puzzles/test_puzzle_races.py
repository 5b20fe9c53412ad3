"""Two pages of one member at the same moment: one answer counts."""

from functools import partial

import pytest
from django.db import IntegrityError

from accounts.models import User
from games.models import Puzzle, PuzzleAnswer
from games.puzzles.puzzle_answers import answer_puzzle
from tests.puzzles.made_puzzles import legal_answers, make_puzzle
from tests.support.locks import without_row_locks
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def both_answer(puzzle: Puzzle, user: User) -> list[object]:
    right, wrong = legal_answers(puzzle)[:2]
    return at_once(
        *(partial(answer_puzzle, puzzle=puzzle, user=user, move=move) for move in (right, wrong, right))
    )


def test_first_of_simultaneous_answers_is_shown_to_all(alice: User) -> None:
    for _ in range(3):
        Puzzle.objects.all().update(day=None)
        puzzle = make_puzzle()
        results = both_answer(puzzle, alice)
        [kept] = PuzzleAnswer.objects.filter(puzzle=puzzle, user=alice)
        assert {result.move for result in results if isinstance(result, PuzzleAnswer)} == {kept.move}, results
        assert all(isinstance(result, PuzzleAnswer) for result in results), results
        PuzzleAnswer.objects.all().delete()


def test_answers_without_the_lock_are_detected(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: nobody waits, and only the database refuses the second answer."""
    without_row_locks(monkeypatch)
    for _ in range(20):
        Puzzle.objects.all().update(day=None)
        PuzzleAnswer.objects.all().delete()
        if any(isinstance(result, IntegrityError) for result in both_answer(make_puzzle(), alice)):
            return
    pytest.fail("Nobody was too late.")
