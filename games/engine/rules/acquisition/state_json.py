"""Conversion of states to plain values for JSON, and back.

Values that follow from others (groups, reserves, buildings, parks still to come, open squares, the
decision) are left out and computed again.
"""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.rules.acquisition.board import (
    EMPTY,
    PARK,
    SIDE,
    SQUARE_BY_NAME,
    SQUARE_NAMES,
    SQUARES,
    group,
)
from games.engine.rules.acquisition.buildings import count
from games.engine.rules.acquisition.parks import open_parks
from games.engine.rules.acquisition.rule_options import (
    MATERIAL_LETTERS,
    PARKS,
    check_seats,
    from_options,
    to_options,
)
from games.engine.rules.acquisition.state import (
    BUYOUTS,
    LARGE,
    OVER,
    PARKINGS,
    PLACES,
    Decision,
    State,
    empty_state,
)
from games.engine.rules.acquisition.tile_placement import buyer_of
from games.engine.rules.acquisition.turns import open_places

# Raised when stored games need other code than new ones.
VERSION: Final = 1

_MARKS: Final = {
    EMPTY: ".",
    PARK: "P",
    **{seat + 1: letter for seat, letter in enumerate(MATERIAL_LETTERS)},
}
_VALUES: Final = {mark: value for value, mark in _MARKS.items()}


def board_to_text(board: Sequence[int], between: str = "/") -> str:
    """The board row by row: "." empty, "P" a park, else the letter of the tile's material."""
    marks = "".join(_MARKS[value] for value in board)
    return between.join(marks[start : start + SIDE] for start in range(0, len(SQUARES), SIDE))


def board_from_text(text: str, seats: int) -> list[int]:
    """Parse a board; ValueError unless it has 144 squares with parks and tiles of these seats."""
    known = f".P{MATERIAL_LETTERS[:seats]}"
    marks = [mark for mark in text if mark not in "/\n "]
    if len(marks) != len(SQUARES) or not set(marks) <= set(known):
        raise ValueError(f"A board of {seats} players is {len(SQUARES)} marks out of {' '.join(known)}.")
    return [_VALUES[mark] for mark in marks]


def state_to_json(state: State) -> dict[str, Any]:
    """Return everything the state holds as JSON values. The seed in it is secret."""
    record: dict[str, Any] = {
        "version": VERSION,
        "rules": to_options(state.rules),
        "seats": state.seats,
        "seed": state.seed.hex(),
        "board": board_to_text(state.board),
        "turn": state.turn,
    }
    if state.tile >= 0:
        record["tile"] = SQUARE_NAMES[state.tile]
    if state.ended:
        record["ended"] = state.ended
    return record


def state_from_json(record: dict[str, Any]) -> State:
    """Return the state stored in the record; the record is trusted, see `invariants` for checks.

    Raises ValueError for an unknown version, and for values that no state can hold.
    """
    if record["version"] != VERSION:
        raise ValueError(f"A state of version {record['version']} cannot be read.")
    seats = record["seats"]
    check_seats(seats)
    if record["turn"] not in range(seats):
        raise ValueError(f"There is no seat {record['turn']}.")
    state = empty_state(from_options(record["rules"]), seats, bytes.fromhex(record["seed"]))
    state.board = board_from_text(record["board"], seats)
    state.turn = record["turn"]
    state.tile = SQUARE_BY_NAME[record["tile"]] if "tile" in record else -1
    state.ended = record.get("ended", "")
    state.parks = PARKS[seats] - state.board.count(PARK)
    _count_tiles(state)
    state.open = open_parks(state) if state.parks else open_places(state)
    state.decision = _decision(state)
    return state


def _count_tiles(state: State) -> None:
    tiles = [square for square, value in enumerate(state.board) if value not in (EMPTY, PARK)]
    for square in tiles:
        state.size[square] = len(group(state.board, square))
        state.reserve[state.board[square] - 1] -= 1
    if max(state.size) > LARGE:
        raise ValueError(f"A group has {max(state.size)} tiles; {LARGE} are the most.")
    count(state, tiles, 1)


def _decision(state: State) -> Decision:
    """The decision of a state that is otherwise complete."""
    if state.ended:
        return OVER
    if state.tile >= 0:
        squares = group(state.board, state.tile)
        buyer = buyer_of(state, squares) if state.size[state.tile] == LARGE else None
        if buyer is None:
            raise ValueError(f"Nobody can buy out the group of {SQUARE_NAMES[state.tile]}.")
        return BUYOUTS[buyer]
    return (PARKINGS if state.parks else PLACES)[state.turn]
