"""The archive: puzzles of past days, by theme and difficulty."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Exists, OuterRef

from games.models import Puzzle, PuzzleAnswer
from games.puzzles.puzzle_calendar import today
from games.puzzles.puzzle_difficulty import of_difficulty
from games.puzzles.shown_puzzles import visible_puzzles

PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """Puzzles of past days, the latest first, and the day before which the next page begins, None at the end.

    Each puzzle has `is_answered` and `is_solved`, which tell about the reader.
    """

    puzzles: Sequence[Puzzle]
    before: date | None


def archive_page(
    user: Any,
    system: str,
    *,
    theme: str = "",
    difficulty: str = "",
    only_open: bool = False,
    before: date | None = None,
) -> ArchivePage:
    """A page of the archive; with `only_open` without puzzles that the reader has answered.

    Today's puzzle is left out: its theme would help to solve it.
    """
    mine = PuzzleAnswer.objects.filter(puzzle=OuterRef("pk"), user=user.pk or 0)
    found = visible_puzzles().filter(source__system=system, day__lt=min(today(), before or today()))
    if theme:
        found = found.filter(theme=theme)
    if difficulty:
        found = found.filter(of_difficulty(difficulty))
    found = found.annotate(is_answered=Exists(mine), is_solved=Exists(mine.filter(right=True)))
    if only_open:
        found = found.filter(is_answered=False)
    rows = list(found.defer("estimates", "best").order_by("-day")[: PAGE + 1])
    shown = rows[:PAGE]
    return ArchivePage(shown, shown[-1].day if len(rows) > PAGE else None)
