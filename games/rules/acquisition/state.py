"""The state of a game: everything the rules know, made for `copy` and for moves in place."""

from dataclasses import dataclass
from typing import Any, Final

from .board import EMPTY, SQUARES
from .moves import Park, Place
from .rules import PARKS, SEATS, Rules

# The sizes of a small, a medium and a large building, by which `State.buildings` counts.
SMALL: Final = 1
MEDIUM: Final = 2
LARGE: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What is asked of one seat.

    `kind` is "park", "place", "buyout" (buy out or decline), or "over" with seat -1: nothing is
    asked any more.
    """

    kind: str
    seat: int


# Made once: a decision is replaced with every move, and a new object each time is dear.
DECISIONS: Final = {
    kind: tuple(Decision(kind, seat) for seat in range(SEATS.stop)) for kind in ("park", "place", "buyout")
}
PARKINGS: Final = DECISIONS["park"]
PLACES: Final = DECISIONS["place"]
BUYOUTS: Final = DECISIONS["buyout"]
OVER: Final = Decision("over", -1)


class State:
    """One game of Acquisition. Seats are numbers from 0, squares those of `board`.

    rules         the options
    seats         how many there are
    seed          32 secret bytes; they dealt the seats, and nothing else here is chance
    board         by square: EMPTY, PARK or the number of the tile's seat and one
    size          by square: the tiles of the group it belongs to, 0 without a building tile
    reserve       by seat: building tiles not on the board
    buildings     by size (SMALL, MEDIUM, LARGE), by seat: buildings of one colour
    parks         parks still to be placed
    turn          the seat whose turn it is
    decision      who must decide what
    open          the moves for the squares where a park or tile may go; a tile's stay while a buyout is asked
    tile          the tile that completed a group, while a buyout is asked; else -1
    ended         why the game is over: "no tile", "no square", or ""
    events        what happened, if somebody wants to know; else None
    """

    __slots__ = (  # noqa: RUF023 - in the order in which they are explained
        "rules", "seats", "seed", "board", "size", "reserve", "buildings", "parks", "turn", "decision",
        "open", "tile", "ended", "events",
    )  # fmt: skip

    def __init__(self, rules: Rules, seats: int, seed: bytes) -> None:
        self.rules = rules
        self.seats = seats
        self.seed = seed
        self.board = [EMPTY] * len(SQUARES)
        self.size = [0] * len(SQUARES)
        self.reserve = [rules.tiles_each(seats)] * seats
        self.buildings = [[0] * seats for _ in range(LARGE + 1)]
        self.parks = PARKS[seats]
        self.turn = 0
        self.decision = OVER
        self.open: tuple[Park, ...] | tuple[Place, ...] = ()
        self.tile = -1
        self.ended = ""
        self.events: list[Any] | None = None

    def copy(self) -> "State":
        """An independent state that does not record events."""
        new = State.__new__(State)
        new.rules = self.rules
        new.seats = self.seats
        new.seed = self.seed
        new.board = self.board[:]
        new.size = self.size[:]
        new.reserve = self.reserve[:]
        new.buildings = [owned[:] for owned in self.buildings]
        new.parks = self.parks
        new.turn = self.turn
        new.decision = self.decision
        new.open = self.open
        new.tile = self.tile
        new.ended = self.ended
        new.events = None
        return new


def decider(state: State) -> int | None:
    """The one seat that must decide now, or None when the game is over."""
    return None if state.decision is OVER else state.decision.seat
