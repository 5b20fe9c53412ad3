"""Turn order, open squares for tiles, and the end of the game."""

from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, SQUARES
from games.engine.rules.acquisition.buildings import built
from games.engine.rules.acquisition.events import Ended, Scored
from games.engine.rules.acquisition.moves import PLACE, Place
from games.engine.rules.acquisition.state import LARGE, OVER, PLACES, State


def has_room(state: State, square: int) -> bool:
    """Return whether a tile on this empty square would make a group of at most three."""
    # Neighbours of one square never touch; two of them in one group already make a group of three.
    size = state.size
    return sum([size[neighbour] for neighbour in NEIGHBOURS[square]]) < LARGE


def open_places(state: State) -> tuple[Place, ...]:
    """The moves for all squares where a tile may go."""
    board = state.board
    return tuple([PLACE[square] for square in SQUARES if board[square] == EMPTY and has_room(state, square)])


def next_turn(state: State) -> None:
    """Ask the next seat for a tile, or end the game if it cannot place one."""
    state.turn = (state.turn + 1) % state.seats
    if not state.reserve[state.turn]:
        _end(state, "no tile")
    elif not state.open:
        _end(state, "no square")
    else:
        state.decision = PLACES[state.turn]


def _end(state: State, reason: str) -> None:
    state.ended = reason
    state.decision = OVER
    if state.events is not None:
        state.events.append(Ended(state.turn, reason))
        state.events += [Scored(seat, *built(state, seat)) for seat in range(state.seats)]
