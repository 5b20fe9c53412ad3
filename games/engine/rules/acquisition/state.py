"""State of a game, with everything the rules know; moves change it in place."""

from dataclasses import dataclass
from typing import Any, Final

from games.engine.rules.acquisition.board import EMPTY, SQUARES
from games.engine.rules.acquisition.moves import Park, Place
from games.engine.rules.acquisition.rule_options import PARKS, SEATS, Rules

# The sizes of a small, a medium and a large building, which index `State.buildings`.
SMALL: Final = 1
MEDIUM: Final = 2
LARGE: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A question to one seat.

    `kind` is "park", "place", "buyout" (buy out or decline), or "over" with seat -1 after the end.
    """

    kind: str
    seat: int


# Created once: every move replaces the decision, and a new object each time would be slow.
DECISIONS: Final = {
    kind: tuple(Decision(kind, seat) for seat in range(SEATS.stop)) for kind in ("park", "place", "buyout")
}
PARKINGS: Final = DECISIONS["park"]
PLACES: Final = DECISIONS["place"]
BUYOUTS: Final = DECISIONS["buyout"]
OVER: Final = Decision("over", -1)


class State:
    """The state of a game. Seats are numbers from 0, squares those of `board`.

    rules         the options
    seats         number of seats
    seed          32 secret bytes; only the seats were dealt by them
    board         by square: EMPTY, PARK or the number of the tile's seat plus one
    size          by square: the number of tiles in its group, 0 without a building tile
    reserve       by seat: building tiles not on the board
    buildings     by size (SMALL, MEDIUM, LARGE), by seat: buildings of one colour
    parks         parks still to be placed
    turn          the seat whose turn it is
    decision      the question to be answered next
    open          the moves for the squares where a park or tile may go; also kept during a buyout
    tile          the tile that completed a group, while a buyout is asked; else -1
    ended         why the game is over: "no tile", "no square", or ""
    events        the events of the current move while they are recorded; else None
    """

    __slots__ = (  # noqa: RUF023 - in the order of the docstring
        "rules", "seats", "seed", "board", "size", "reserve", "buildings", "parks", "turn", "decision",
        "open", "tile", "ended", "events",
    )  # fmt: skip

    rules: Rules
    seats: int
    seed: bytes
    board: list[int]
    size: list[int]
    reserve: list[int]
    buildings: list[list[int]]
    parks: int
    turn: int
    decision: Decision
    open: tuple[Park, ...] | tuple[Place, ...]
    tile: int
    ended: str
    events: list[Any] | None

    def copy(self) -> "State":
        """Return an independent state that does not record events."""
        new = State()
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


def empty_state(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the first decision: an empty board and no buildings."""
    state = State()
    state.rules = rules
    state.seats = seats
    state.seed = seed
    state.board = [EMPTY] * len(SQUARES)
    state.size = [0] * len(SQUARES)
    state.reserve = [rules.tiles_each(seats)] * seats
    state.buildings = [[0] * seats for _ in range(LARGE + 1)]
    state.parks = PARKS[seats]
    state.turn = 0
    state.decision = OVER
    state.open = ()
    state.tile = -1
    state.ended = ""
    state.events = None
    return state


def decider(state: State) -> int | None:
    """The seat that must decide now, or None when the game is over."""
    return None if state.decision is OVER else state.decision.seat
