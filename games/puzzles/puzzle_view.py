"""Puzzles as pages show them: as observations, without the game's state."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Count, Exists, Max, Min, OuterRef, Q

from games.engine.bots.move_estimate import Estimate
from games.engine.bots.puzzle_criteria import JUDGES
from games.models import Puzzle, PuzzleAnswer
from games.puzzles.puzzle_calendar import today
from games.puzzles.puzzle_positions import entries_before, played_instead
from games.puzzles.shown_puzzles import visible_puzzles

# As many recent moves as on a table.
RECENT: Final = 40


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The days of the previous and the next visible puzzle."""

    before: date | None
    after: date | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution, shown once the user has answered.

    It holds the estimates of the judge of this `level`, the best first, the move played in the game, and the
    numbers of answers and of right ones.
    """

    level: str
    estimates: list[Estimate]
    played: Any
    answered: int
    solved: int


def puzzle_of(day: date) -> Puzzle | None:
    """The puzzle of this day; None without one, and before the day has come."""
    if day > today():
        return None
    found = visible_puzzles().filter(day=day).select_related("source__game")
    return found.defer("source__game__state").first()


def puzzle_of_today(user: Any) -> Puzzle | None:
    """Today's puzzle from its columns alone; `is_answered` tells whether the user has answered it."""
    mine = PuzzleAnswer.objects.filter(puzzle=OuterRef("pk"), user=user.pk or 0)
    found = (
        visible_puzzles().filter(day=today()).select_related("source").defer("source__record", "estimates")
    )
    return found.annotate(is_answered=Exists(mine)).first()


def puzzle_position(puzzle: Puzzle) -> tuple[Any, list[tuple[int, list[Any]]]]:
    """The observation of the puzzle's seat, and the events of the moves before, by place in the log."""
    return entries_before(puzzle, RECENT)


def puzzle_answer(puzzle: Puzzle, user: Any) -> PuzzleAnswer | None:
    """The user's answer, or None."""
    return PuzzleAnswer.objects.filter(puzzle=puzzle, user=user.pk).first() if user.is_authenticated else None


def puzzle_solution(puzzle: Puzzle) -> Solution:
    """The solution, for users who have answered."""
    parse = puzzle.source.rule_system.parse_move
    told = [Estimate(parse(text), *numbers) for text, *numbers in puzzle.estimates]
    counts = PuzzleAnswer.objects.filter(puzzle=puzzle).aggregate(
        answered=Count("pk"), solved=Count("pk", filter=Q(right=True))
    )
    level = JUDGES[puzzle.source.system].judge
    return Solution(level, told, played_instead(puzzle), counts["answered"], counts["solved"])


def puzzle_neighbours(day: date) -> Neighbours:
    """The days with a puzzle before and after this one."""
    around = (
        visible_puzzles()
        .filter(day__lte=today())
        .aggregate(before=Max("day", filter=Q(day__lt=day)), after=Min("day", filter=Q(day__gt=day)))
    )
    return Neighbours(around["before"], around["after"])
