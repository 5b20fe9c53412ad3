"""The parks: placed in turn order before the tiles, and finally without any symmetry."""

from collections.abc import Iterable
from typing import Final

from games.engine.rules.acquisition.board import EMPTY, PARK, SQUARE_NAMES, SQUARES, SYMMETRIES
from games.engine.rules.acquisition.events import Parked
from games.engine.rules.acquisition.moves import PARKS_AT, Park
from games.engine.rules.acquisition.state import PARKINGS, State
from games.engine.rules.acquisition.turns import next_turn, open_places

_ALL: Final = tuple(SYMMETRIES.values())


def is_symmetrical(parks: Iterable[int], symmetries: Iterable[tuple[int, ...]] = _ALL) -> bool:
    """Return whether one of the rotations and reflections of the board maps the parks onto themselves."""
    taken = set(parks)
    return any({image[square] for square in taken} == taken for image in symmetries)


def open_parks(state: State) -> tuple[Park, ...]:
    """The moves for the squares where the next park may go.

    For the last park, each symmetry bars one square at most, or all squares of its axis, so some are
    always left.
    """
    free = [square for square, value in enumerate(state.board) if value == EMPTY]
    if state.parks == 1:
        parks = parks_on(state)
        # One park cannot complete a symmetry that lacks two, so only a few are tried on each square.
        near = [image for image in _ALL if len({image[square] for square in parks}.difference(parks)) < 2]
        free = [square for square in free if not is_symmetrical([*parks, square], near)]
    return tuple([PARKS_AT[square] for square in free])


def parks_on(state: State) -> list[int]:
    """The squares of the parks on the board."""
    return [square for square in SQUARES if state.board[square] == PARK]


def ask_for_park(state: State) -> None:
    """Set the decision about the next park."""
    state.open = open_parks(state)
    state.decision = PARKINGS[state.turn]


def park(state: State, move: Park) -> None:
    """Put a park on the board; after the last one, ask for the first tile."""
    state.board[move.square] = PARK
    state.parks -= 1
    if state.events is not None:
        state.events.append(Parked(state.turn, SQUARE_NAMES[move.square], state.parks))
    if state.parks:
        state.turn = (state.turn + 1) % state.seats
        ask_for_park(state)
    else:
        # Everybody placed equally many parks, so it is the first player's turn again.
        state.open = open_places(state)
        next_turn(state)
