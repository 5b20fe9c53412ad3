"""Interned move objects of Acquisition.

A move is an immutable value with a text, and exists once. So moves can be compared
by identity; the log stores the text, and `parse_move` reads it back.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.rule_errors import InvalidMove


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """An answer to a decision; `kind` is its type, `text` its notation."""

    kind: ClassVar[str]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, eq=False)
class Park(Move):
    """Put a park on this square."""

    kind = "park"
    square: int


@dataclass(frozen=True, slots=True, eq=False)
class Place(Move):
    """Put a building tile from the reserve on this square."""

    kind = "place"
    square: int


@dataclass(frozen=True, slots=True, eq=False)
class BuyOut(Move):
    """Replace the others' tiles of the group just completed by one's own."""

    kind = "buyout"


@dataclass(frozen=True, slots=True, eq=False)
class Decline(Move):
    """Leave the group just completed as it is."""

    kind = "decline"


PARKS_AT: Final = tuple(Park(f"park {name}", square) for square, name in enumerate(SQUARE_NAMES))
PLACE: Final = tuple(Place(f"place {name}", square) for square, name in enumerate(SQUARE_NAMES))
BUY_OUT: Final = BuyOut("buy out")
DECLINE: Final = Decline("decline")

MOVES: Final[tuple[Move, ...]] = (*PARKS_AT, *PLACE, BUY_OUT, DECLINE)
_BY_TEXT: Final = {move.text: move for move in MOVES}
_MAX_TEXT_LENGTH: Final = 200


def parse_move(text: str) -> Move:
    """The move with this notation; case and spaces do not matter.

    Raises InvalidMove if there is none.
    """
    move = _BY_TEXT.get(" ".join(text.lower().split())) if len(text) <= _MAX_TEXT_LENGTH else None
    if move is None:
        raise InvalidMove(text[:_MAX_TEXT_LENGTH])
    return move
