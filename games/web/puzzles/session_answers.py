"""Answers of visitors to puzzles, which are kept in their sessions only."""

from typing import Final

from games.models import Puzzle
from games.web.requests import Request

_IN_SESSION: Final = "puzzles"
# The latest are kept.
_MAX_ANSWERS_KEPT: Final = 30


def answer_in_session(request: Request, puzzle: Puzzle) -> str | None:
    """The answer that was given to the puzzle without logging in, or None."""
    return _kept(request).get(str(puzzle.pk))


def keep_answer(request: Request, puzzle: Puzzle, answer: str) -> None:
    """Keep a visitor's answer in the session."""
    latest = list(_kept(request).items())[1 - _MAX_ANSWERS_KEPT :]
    request.session[_IN_SESSION] = dict([*latest, (str(puzzle.pk), answer)])


def results_in_session(request: Request) -> dict[int, bool]:
    """The puzzles answered without logging in, by key, and whether the answers were right."""
    kept = _kept(request)
    if not kept:
        return {}
    best = Puzzle.objects.filter(pk__in=kept).values_list("pk", "best")
    return {pk: kept[str(pk)] == move for pk, move in best}


def _kept(request: Request) -> dict[str, str]:
    return request.session.get(_IN_SESSION, {})
