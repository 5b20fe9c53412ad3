"""Lookahead: the value of a move once everything that follows at once is settled."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.bots.acquisition.evaluation import PositionValue
from games.engine.rules.acquisition.apply_move import apply
from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, SQUARES
from games.engine.rules.acquisition.legal_moves import legal_moves
from games.engine.rules.acquisition.moves import Move, Place, parse_move
from games.engine.rules.acquisition.state import LARGE, State

BUY_OUT: Final = parse_move("buy out")


# A tile takes its own square and closes at most eight others. With more open squares than this, no
# forced placement follows and the game goes on.
ENOUGH_OPEN_SQUARES: Final = 10

# The maximum number of tiles that a player uses in a turn: one to place, two for a buyout.
MAX_TILES_PER_TURN: Final = 3

# By square, the squares that a tile on it can affect, at a distance of at most two.
_AROUND: Final = tuple(
    tuple({far for beside in NEIGHBOURS[square] for far in (beside, *NEIGHBOURS[beside])} - {square})
    for square in SQUARES
)


def after(state: State, move: Move) -> State:
    """The state after the move, and after the buyouts that it makes possible."""
    state = state.copy()
    apply(state, move)
    while state.tile >= 0:
        apply(state, BUY_OUT)
    return state


def chances(state: State, moves: Sequence[Move]) -> list[float]:
    """The deciding seat's expected share of the win after each of these moves."""
    outlook, size, seat = PositionValue(state), state.size, state.decision.seat
    # Moves that may end the game before the next decision are evaluated in full.
    early = (
        state.decision.kind == "place"
        and len(state.open) > ENOUGH_OPEN_SQUARES
        and min(state.reserve) > MAX_TILES_PER_TURN
    )
    found = []
    for move in moves:
        if early and isinstance(move, Place):
            touched = sum([size[neighbour] for neighbour in NEIGHBOURS[move.square]])
            if touched < LARGE - 1:
                found.append(outlook.chance_after(move.square))
            else:
                found.append(outlook.chance_when(after(state, move), move.square))
        else:
            found.append(PositionValue(after(state, move)).chance(seat))
    return found


def best_after(state: State) -> State:
    """The state after the move that looks best to the seat on turn; the first one of equals."""
    moves = [*_different(state, legal_moves(state))]
    values = chances(state, moves)
    return after(state, moves[values.index(max(values))])


def _different(state: State, moves: Sequence[Move]) -> Iterator[Move]:
    """The moves without equivalent ones: where no tile is near, only the free neighbours matter."""
    board, size = state.board, state.size
    known = set()
    for move in moves:
        if isinstance(move, Place):
            near = [size[square] for square in _AROUND[move.square]]
            if not any(near):
                space = sum([board[square] == EMPTY for square in NEIGHBOURS[move.square]])
                if space in known:
                    continue
                known.add(space)
        yield move
