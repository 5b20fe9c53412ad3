"""Today's puzzle as a board with answers, to be tried on the page that shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Puzzle
from games.puzzles import puzzle_view
from games.puzzles.puzzle_calendar import today
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople
from games.web.showcase.lettered_board import lettered_board

# Answers that are offered; the page of the puzzle takes any legal one.
_MOST_ANSWERS: Final = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its notation, and its words as on a button."""

    move: str
    words: str


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle: its day, its board with letters, the same small, its question, facts and some answers."""

    day: date
    url: str
    columns: Sequence[str]
    rows: Sequence[str]
    board: SafeString
    small_board: SafeString
    question: str
    facts: Sequence[str]
    answers: tuple[Answer, ...]
    by_computers: bool


def todays_puzzle() -> ShownPuzzle | None:
    """The puzzle of today; None without one."""
    puzzle = puzzle_view.puzzle_of(today())
    return None if puzzle is None else shown_puzzle(puzzle.pk, get_language())


# A puzzle never changes, and each process shows that of today to everybody.
@lru_cache(maxsize=16)
def shown_puzzle(key: int, language: str | None) -> ShownPuzzle:
    """The puzzle with this key, which must be visible to everybody, in this language."""
    return _shown(Puzzle.objects.select_related("source__game").get(pk=key))


def _shown(puzzle: Puzzle) -> ShownPuzzle:
    assert puzzle.day is not None
    table = PRESENTERS[puzzle.source.system]
    seen, before = puzzle_view.puzzle_position(puzzle)
    persons = [Person(_("P{n}").format(n=number)) for number in range(1, puzzle.seats + 1)]
    people = TablePeople(tuple(persons), puzzle.seat)
    entries = [LogEntryView(number, events) for number, events in before]
    moves, picture = _offered(puzzle), table.board_picture(seen)
    parsed = [puzzle.source.rule_system.parse_move(move) for move in moves]
    words = table.in_words(seen, people, parsed)
    return ShownPuzzle(
        day=puzzle.day,
        url=reverse("puzzle", args=[puzzle.day.isoformat()]),
        columns=picture.column_names,
        rows=picture.row_names,
        board=lettered_board(table, seen, entries, table.choice_squares(seen, parsed)),
        small_board=table.mini_board(seen, entries),
        question=table.headline(seen, people),
        facts=table.choice_facts(seen, people, parsed),
        answers=tuple(Answer(move, text) for move, text in zip(moves, words, strict=True)),
        by_computers=puzzle.source.game is None,
    )


def _offered(puzzle: Puzzle) -> list[str]:
    """The best answers of the judge, in an order that does not tell which is the best."""
    best: list[Any] = puzzle.estimates[:_MOST_ANSWERS]
    return sorted(str(text) for text, *_numbers in best)
