"""Marks on the board of a lesson."""

from dataclasses import dataclass
from typing import Any

from games.engine.rules.acquire.board import COLUMNS, SQUARE_BY_NAME
from games.engine.rules.acquire.moves import Place
from games.web.presenters.board_shapes import SQUARE


@dataclass(frozen=True, slots=True)
class BoardMark:
    """The square that a lesson points at, in the measures of the drawing."""

    left: int
    top: int
    side: int = SQUARE


def lesson_marks(spot: str, move: Any) -> dict[str, BoardMark | None]:
    """The mark on the square `spot`, or on that of the tile which `move` places; None without either."""
    if isinstance(move, Place):
        return {"mark": _mark(move.square)}
    return {"mark": _mark(SQUARE_BY_NAME[spot]) if spot else None}


def _mark(square: int) -> BoardMark:
    row, column = divmod(square, COLUMNS)
    return BoardMark(column * SQUARE, row * SQUARE)
