"""Effect of a tile on a square, before it is placed."""

from dataclasses import dataclass

from games.engine.rules.acquisition.board import group
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.state import LARGE, State
from games.engine.rules.acquisition.tile_placement import buyer_among


@dataclass(frozen=True, slots=True)
class TileEffect:
    """The group that a tile would make: its squares in board order, and the seats of its tiles.

    `buyer` is the seat that could then buy out the others; None if there is nobody to buy out or the
    reserve is too small.
    """

    squares: tuple[int, ...]
    owners: tuple[int, ...]
    buyer: int | None


def tile_effect(state: State | Observation, square: int) -> TileEffect:
    """The effect of a tile of the seat on turn on this empty square, whether it may go there or not."""
    squares = tuple(group(state.board, square))
    turn = state.turn
    owners = tuple([turn if member == square else state.board[member] - 1 for member in squares])
    reserve = list(state.reserve)
    reserve[turn] -= 1
    return TileEffect(squares, owners, buyer_among(owners, turn, reserve) if len(squares) == LARGE else None)
