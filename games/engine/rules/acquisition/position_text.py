"""A position as text that people can read and write.

    rules: standard tiles=30
    seats: 2
    board:
    ............
    ..P....P....
    ............
    ....BS......
    ....B....S..
    ...P........
    ..........B.
    ........P...
    .SS.........
    ......B.....
    ..P.........
    .........P..
    turn: 1
    tile: f4

`rules` is the standard and, if players agreed on fewer tiles, their number. The board is twelve
rows, row 1 first and column a on the left: "." empty, "P" a park, "B" a tile of seat 0 (brick),
"S" of seat 1 (steel), "C" of seat 2 (concrete), "G" of seat 3 (glass). Only `seats` and the board
are required. `turn` defaults to the seat that follows from the number of pieces on the board.
`tile` names the tile that completed a group while a buyout is possible; the turn is then that of
the seat that placed it. `seed` and `ended` complete the state.
"""

from collections.abc import Iterator
from typing import Any

from games.engine.rules.acquisition.board import SIDE
from games.engine.rules.acquisition.invariants import invariants
from games.engine.rules.acquisition.rule_options import OPTIONS, PRESETS, Rules, from_options, to_options
from games.engine.rules.acquisition.state import State
from games.engine.rules.acquisition.state_json import VERSION, board_to_text, state_from_json, state_to_json
from games.engine.rules.rule_errors import InvalidPosition
from games.engine.rules.seeded_random import SEED_BYTES


def position_to_text(state: State) -> str:
    """The whole state as text; the seed in it is secret."""
    record = state_to_json(state)
    lines = [
        f"rules: {rules_to_text(state.rules)}",
        f"seats: {state.seats}",
        "board:",
        board_to_text(state.board, "\n"),
    ]
    lines += [f"{name}: {record[name]}" for name in ("turn", "tile", "ended", "seed") if name in record]
    return "\n".join(lines) + "\n"


def rules_to_text(rules: Rules) -> str:
    """The preset and the options that differ from it: "standard tiles=30"."""
    return " ".join(["standard", *(f"{name}={value}" for name, value in to_options(rules).items())])


def position_from_text(text: str) -> State:
    """Parse a position; InvalidPosition, listing every fault in words, if it is not possible."""
    try:
        state = state_from_json(_record(dict(_fields(text))))
    except (LookupError, ValueError, TypeError) as error:
        raise InvalidPosition(f"The position cannot be read: {error}") from error
    if faults := invariants(state):
        raise InvalidPosition("; ".join(faults))
    return state


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The name and value of each line, then the rows of the board as one value."""
    rows: list[str] = []
    seen: set[str] = set()
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon:
            rows.append(line.upper())
            continue
        if name in seen:
            raise ValueError(f"{name} stands there twice.")
        seen.add(name)
        yield name, value.strip()
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise ValueError(f"the board has {SIDE} rows of {SIDE} marks.")
    yield "board", "/".join(rows)


def _record(fields: dict[str, str]) -> dict[str, Any]:
    fields = dict(fields)
    seats = int(fields.pop("seats"))
    board = fields.pop("board")
    record: dict[str, Any] = {
        "version": VERSION,
        "rules": to_options(rules_from_text(fields.pop("rules", "standard"))),
        "seats": seats,
        "seed": fields.pop("seed", bytes(SEED_BYTES).hex()),
        "board": board,
        "turn": int(fields.pop("turn")) if "turn" in fields else _due(board, seats, "tile" in fields),
    }
    record |= {name: fields.pop(name).lower() for name in ("tile", "ended") if name in fields}
    if fields:
        raise ValueError(f"there is no field {', '.join(fields)}.")
    return record


def _due(board: str, seats: int, pending: bool) -> int:
    """The seat on turn after this number of pieces; a buyout does not change the number."""
    pieces = sum(mark not in "./" for mark in board)
    return (pieces - pending) % max(seats, 1)


def rules_from_text(text: str) -> Rules:
    """Parse a preset with options; KeyError or ValueError if it is not valid."""
    preset, *options = text.split() or [""]
    values = {name: getattr(PRESETS[preset], name) for name in OPTIONS}
    for option in options:
        name, _, value = option.partition("=")
        values[name] = int(value)
    return from_options(values)
