"""The solution of a puzzle as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from games.engine.bots.move_estimate import Estimate
from games.models import Puzzle
from games.puzzles import puzzle_view
from games.web.presenters.advice_view import percent
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.text.game_titles import title
from games.web.text.seat_names import level_name

# Number of best answers shown.
_BEST_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class PuzzleGuess:
    """A reader's answer; `counts` if it was given on the day of the puzzle."""

    move: str
    right: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class Line:
    """The estimate of one answer: the move, the chance to win and the lead, in words."""

    order: str
    chance: str
    lead: str
    best: bool
    mine: bool


def solution_context(
    puzzle: Puzzle, given: PuzzleGuess, seen: Any, people: TablePeople, url: str
) -> dict[str, Any]:
    """The context of templates/games/puzzles/_solution.html.

    `seen` is the observation of the seat to move with its legal moves, `url` the puzzle's public address.
    """
    table, solution = PRESENTERS[puzzle.source.system], puzzle_view.puzzle_solution(puzzle)
    game, parse = puzzle.source.game, puzzle.source.rule_system.parse_move
    mine, played = table.in_words(seen, people, [parse(given.move), solution.played])
    level = level_name(puzzle.source.system, solution.level)
    tried = any(str(one.move) == given.move for one in solution.estimates)
    advice = table.advice(seen, people, level, solution.estimates)
    return {
        "given": given,
        "headline": _("Correct") if given.right else _("There was a better move"),
        "level": level,
        "best": advice.order,
        "why": advice.why,
        "lines": evaluation(puzzle, solution.estimates, given.move, seen, people),
        "untried": "" if tried else mine,
        "answered": solution.answered,
        "solved": solution.solved,
        "played": played,
        "game_title": title(game) if game is not None else "",
        "position_url": position_url(puzzle),
        "share": _share(puzzle, given, url),
    }


def position_url(puzzle: Puzzle) -> str:
    """Return the address of the position in its game, or "" if the game is not kept."""
    game = puzzle.source.game
    return reverse("review-moment", args=[game.public_id, puzzle.number]) if game is not None else ""


def evaluation(
    puzzle: Puzzle, estimates: Sequence[Estimate], move: str, seen: Any, people: TablePeople
) -> list[Line]:
    """The best answers, and the reader's own if it is not among them."""
    shown = [one for place, one in enumerate(estimates) if place < _BEST_SHOWN or str(one.move) == move]
    words = PRESENTERS[puzzle.source.system].in_words(seen, people, [one.move for one in shown])
    return [
        Line(
            order,
            percent(one.chance),
            PRESENTERS[puzzle.source.system].score(_rounded(one.lead)),
            best=str(one.move) == puzzle.best,
            mine=str(one.move) == move,
        )
        for one, order in zip(shown, words, strict=True)
    ]


def _rounded(lead: float) -> int:
    """Return the lead, rounded to hundreds if it is at least one hundred."""
    return round(lead / 100) * 100 if abs(lead) >= 100 else round(lead)


def _share(puzzle: Puzzle, given: PuzzleGuess, url: str) -> str:
    """Return a sentence to share, which does not give the answer away."""
    assert puzzle.day is not None
    found, tried = _("I solved the Acquire puzzle of {day}."), _("I tried the Acquire puzzle of {day}.")
    return f"{(found if given.right else tried).format(day=puzzle.day.isoformat())} {url}"
