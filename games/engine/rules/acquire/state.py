"""State of a game, with everything the rules know; moves change it in place."""

from dataclasses import dataclass
from typing import Any, Final

from games.engine.rules.acquire.board import EMPTY, SQUARES
from games.engine.rules.acquire.chains import CHAIN_NAMES, SHARES
from games.engine.rules.acquire.moves import Place
from games.engine.rules.acquire.rule_options import Rules

CASH: Final = 6000
HAND: Final = 6
SEATS: Final = range(2, 7)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A question to one seat.

    `kind` is "place", "stuck" (no playable tile: redraw or pass), "found",
    "survivor", "next", "dispose", "buy", or "over" with seat -1 after the end.
    """

    kind: str
    seat: int


# Created once: every move replaces the decision, and a new object each time would be slow.
DECISIONS: Final = {
    kind: tuple(Decision(kind, seat) for seat in range(SEATS.stop))
    for kind in ("place", "stuck", "found", "survivor", "next", "dispose", "buy")
}
PLACES: Final = DECISIONS["place"]
STUCKS: Final = DECISIONS["stuck"]
FOUNDS: Final = DECISIONS["found"]
SURVIVORS: Final = DECISIONS["survivor"]
NEXTS: Final = DECISIONS["next"]
DISPOSES: Final = DECISIONS["dispose"]
BUYS: Final = DECISIONS["buy"]
OVER: Final = Decision("over", -1)


class State:
    """The state of a game. Seats are numbers from 0, chains and squares those of `chains` and `board`.

    rules         the options
    seats         number of seats
    seed          32 secret bytes; after the deal only the bank's tiles with two players still come from it
    board         by square: EMPTY, LONE or the chain's number
    size          by chain: number of tiles, 0 when it is not on the board
    bank          by chain: shares not held by anyone
    cash          by seat: dollars
    holdings      by chain, by seat: shares
    hands         by seat: tiles
    bag           tiles still to be drawn, the next one last
    aside         tiles out of the game: dead tiles that were shown, and redrawn hands
    turned        number of bank tiles turned up so far
    coming        bank tiles that come before those of the seed (only in a position given as text)
    first, turn   the seat that started, the seat whose turn it is
    unchanged     turns in a row, including this one, in which nobody's hand changed
    decision      the question to be answered next
    playable      the moves for the tiles that may be placed, while the decision is about a tile
    tile          the tile just placed, while it founds or merges; else -1
    queue         the chains still to become defunct in this merger
    survivor, defunct   the chains of the merger, as far as they are settled, else 0
    to_dispose    the seats that must still decide about the defunct shares, in order
    ended         why the game is over: "declared", "unchanged", "no tiles", or ""
    events        the events of the current move while they are recorded; else None
    """

    __slots__ = (  # noqa: RUF023 - in the order of the docstring
        "rules", "seats", "seed", "board", "size", "bank", "cash", "holdings", "hands", "bag", "aside",
        "turned", "coming", "first", "turn", "unchanged", "decision", "playable", "tile", "queue",
        "survivor", "defunct", "to_dispose", "ended", "events",
    )  # fmt: skip

    # Compiled code calls `__init__` for every copy, so there is none: `empty_state` sets the fields.
    rules: Rules
    seats: int
    seed: bytes
    board: list[int]
    size: list[int]
    bank: list[int]
    cash: list[int]
    holdings: list[list[int]]
    hands: list[list[int]]
    bag: list[int]
    aside: tuple[int, ...]
    turned: int
    coming: tuple[int, ...]
    first: int
    turn: int
    unchanged: int
    decision: Decision
    playable: tuple[Place, ...]
    tile: int
    queue: tuple[int, ...]
    survivor: int
    defunct: int
    to_dispose: tuple[int, ...]
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
        new.bank = self.bank[:]
        new.cash = self.cash[:]
        new.holdings = [held[:] for held in self.holdings]
        new.hands = [hand[:] for hand in self.hands]
        new.bag = self.bag[:]
        new.aside = self.aside
        new.turned = self.turned
        new.coming = self.coming
        new.first = self.first
        new.turn = self.turn
        new.unchanged = self.unchanged
        new.decision = self.decision
        new.playable = self.playable
        new.tile = self.tile
        new.queue = self.queue
        new.survivor = self.survivor
        new.defunct = self.defunct
        new.to_dispose = self.to_dispose
        new.ended = self.ended
        new.events = None
        return new


def empty_state(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the deal: an empty board, all shares in the bank, all tiles still to be dealt."""
    state = State()
    state.rules = rules
    state.seats = seats
    state.seed = seed
    state.board = [EMPTY] * len(SQUARES)
    state.size = [0] * len(CHAIN_NAMES)
    state.bank = [0] + [SHARES] * (len(CHAIN_NAMES) - 1)
    state.cash = [CASH] * seats
    state.holdings = [[0] * seats for _ in CHAIN_NAMES]
    state.hands = [[] for _ in range(seats)]
    state.bag = []
    state.aside = ()
    state.turned = 0
    state.coming = ()
    state.first = 0
    state.turn = 0
    state.unchanged = 0
    state.decision = OVER
    state.playable = ()
    state.tile = -1
    state.queue = ()
    state.survivor = 0
    state.defunct = 0
    state.to_dispose = ()
    state.ended = ""
    state.events = None
    return state


def decider(state: State) -> int | None:
    """The seat that must decide now, or None when the game is over."""
    return None if state.decision is OVER else state.decision.seat


def ask_purchase(state: State) -> None:
    """Ask the seat on turn for its purchase, which may be empty."""
    state.decision = BUYS[state.turn]
