"""A position as text that people can read and write.

    rules: classic payout=four
    board:
    ....CC......
    ...CCCC.WW..
    ............
    .o..........
    ............
    ............
    ............
    ............
    .........o..
    hand 0: 4D 11A 12G 5D 11I 10C
    hand 1: 6F 2B 8C 5F 1I 7I
    cash: 6000 5400
    continental: 3 1
    worldwide: 0 2
    first: 1
    turn: 0
    decision: place 0

`rules` is a preset with the options that differ from it. The board is nine rows: "." empty, "o" a
lone tile, else the chain's letter. Only `board`, the hands and `cash` are required. `bag` lists
the tiles in drawing order; the default is the remaining tiles in board order. `aside` lists the
tiles that are out of the game. `decision` defaults to `place` for the seat on turn. A decision
about a tile just placed adds `tile: 8B`, and one in a merger also
`merger: survivor continental, defunct worldwide, queue tower american, to dispose 0 2` as
far as it is settled. `bank tiles: 7E 9E` lists the tiles to be turned up for the bank of two
players before those of the seed; `unchanged`, `turned`, `seed` and `ended` complete the state.
"""

import re
from collections.abc import Iterator
from typing import Any

from games.engine.rules.acquire.board import COLUMNS, EMPTY, ROWS, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.invariants import invariants
from games.engine.rules.acquire.rule_options import OPTIONS, PRESETS, Rules, to_options
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.state_json import (
    VERSION,
    board_from_text,
    board_to_text,
    names,
    squares,
    state_from_json,
    state_to_json,
)
from games.engine.rules.rule_errors import InvalidPosition
from games.engine.rules.seeded_random import SEED_BYTES

_WORDS = {"True": True, "true": True, "yes": True, "False": False, "false": False, "no": False}
_MERGER = re.compile(r"(survivor|defunct|queue|to dispose)\s*([^,]*)")


def position_to_text(state: State) -> str:
    """The whole state as text, which is as secret as the state."""
    record = state_to_json(state)
    lines = [f"rules: {rules_to_text(state.rules)}", "board:", board_to_text(state.board, "\n")]
    lines += [f"hand {seat}: {hand}" for seat, hand in enumerate(record["hands"])]
    lines += [
        f"bag: {record['bag']}",
        f"aside: {record.get('aside', '')}",
        f"cash: {_numbers(record['cash'])}",
    ]
    lines += [f"{name}: {_numbers(held)}" for name, held in record["holdings"].items()]
    lines += [f"{name}: {record[name]}" for name in ("first", "turn", "unchanged")]
    lines.append(f"decision: {record['decision'][0]} {record['decision'][1]}")
    if "tile" in record:
        lines.append(f"tile: {record['tile']}")
    if "merger" in record:
        lines.append(f"merger: {_merger_to_text(record['merger'])}")
    if "coming" in record:
        lines.append(f"bank tiles: {record['coming']}")
    lines += [f"{name}: {record[name]}" for name in ("turned", "ended") if name in record]
    lines.append(f"seed: {record['seed']}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def rules_to_text(rules: Rules) -> str:
    """The preset nearest to the rules and the options that differ from it: "classic payout=four"."""

    def differing(preset: str) -> list[str]:
        return [
            f"{name}={str(getattr(rules, name)).lower()}"
            for name in OPTIONS
            if getattr(rules, name) != getattr(PRESETS[preset], name)
        ]

    preset = min(PRESETS, key=lambda name: len(differing(name)))
    return " ".join([preset, *differing(preset)])


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values))


def _merger_to_text(merger: dict[str, Any]) -> str:
    parts = [
        f"survivor {merger['survivor']}" if merger["survivor"] else "",
        f"defunct {merger['defunct']}" if merger["defunct"] else "",
        f"queue {' '.join(merger['queue'])}" if merger["queue"] else "",
        f"to dispose {_numbers(merger['to_dispose'])}" if merger["to_dispose"] else "",
    ]
    return ", ".join(filter(None, parts))


def position_from_text(text: str) -> State:
    """Parse a position; InvalidPosition, listing every fault in words, if it is not possible."""
    try:
        state = state_from_json(_record(dict(_fields(text))))
        faults = invariants(state)
    except (LookupError, ValueError, TypeError) as error:
        raise InvalidPosition(f"The position cannot be read: {error}") from error
    if faults:
        raise InvalidPosition("; ".join(faults))
    return state


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The name and value of each line, then the rows of the board as one value."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows: list[str] = []
    seen: set[str] = set()
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            if name.strip().lower() in seen:
                raise ValueError(f"{name.strip()} stands there twice.")
            seen.add(name.strip().lower())
            yield name.strip().lower(), value.strip()
        else:
            rows.append(line)
    if len(rows) != len(ROWS) or any(len(row) != COLUMNS for row in rows):
        raise ValueError(f"the board has {len(ROWS)} rows of {COLUMNS} marks.")
    yield "board", "/".join(rows)


def _record(fields: dict[str, str]) -> dict[str, Any]:
    fields = dict(fields)
    turn = int(fields.pop("turn", "0"))
    kind, seat = fields.pop("decision", f"place {turn}").split()
    seats = sum(name.startswith("hand ") for name in fields)
    if turn not in range(seats):
        raise ValueError(f"there is no seat {turn}.")
    if kind in ("place", "stuck") and int(seat) != turn:
        raise ValueError(f"seat {seat} is asked for a tile in the turn of seat {turn}.")
    record: dict[str, Any] = {
        "version": VERSION,
        "rules": to_options(rules_from_text(fields.pop("rules", "avalon-hill"))),
        "seed": fields.pop("seed", bytes(SEED_BYTES).hex()),
        "board": fields.pop("board"),
        "hands": [fields.pop(f"hand {number}") for number in range(seats)],
        "cash": [int(word) for word in fields.pop("cash").split()],
        "aside": fields.pop("aside", ""),
        "coming": fields.pop("bank tiles", ""),
        "turn": turn,
        "first": int(fields.pop("first", "0")),
        # A turn counts as unchanged until its tile is placed.
        "unchanged": int(fields.pop("unchanged", "1" if kind in ("place", "stuck") else "0")),
        "turned": int(fields.pop("turned", "0")),
        "ended": fields.pop("ended", ""),
        "decision": [kind, int(seat)],
        "holdings": {
            name: [int(word) for word in fields.pop(name).split()]
            for name in (*CHAIN_BY_NAME, "sackson")
            if name in fields
        },
    }
    if "sackson" in record["holdings"]:
        record["holdings"]["luxor"] = record["holdings"].pop("sackson")
    record["bag"] = fields.pop("bag") if "bag" in fields else _rest(record)
    if "tile" in fields:
        record["tile"] = fields.pop("tile").upper()
    if "merger" in fields:
        record["merger"] = _merger_from_text(fields.pop("merger"))
    if fields:
        raise ValueError(f"there is no field {', '.join(fields)}.")
    return record


def rules_from_text(text: str) -> Rules:
    """Parse a preset with options; KeyError or ValueError if it is not valid."""
    preset, *options = text.split() or [""]
    values = {name: getattr(PRESETS[preset], name) for name in OPTIONS}
    for option in options:
        name, _, value = option.partition("=")
        values[name] = _WORDS.get(value, value) if True in OPTIONS[name] else value
    return Rules(**values)


def _merger_from_text(text: str) -> dict[str, Any]:
    parts = {name: value.strip().lower().replace("sackson", "luxor") for name, value in _MERGER.findall(text)}
    return {
        "survivor": parts.get("survivor", ""),
        "defunct": parts.get("defunct", ""),
        "queue": parts.get("queue", "").split(),
        "to_dispose": [int(word) for word in parts.get("to dispose", "").split()],
    }


def _rest(record: dict[str, Any]) -> str:
    """The tiles that are neither on the board, nor set aside, nor in a hand."""
    board = board_from_text(record["board"])
    seen = {*squares(record["aside"]), *(tile for hand in record["hands"] for tile in squares(hand))}
    return names(square for square in SQUARES if board[square] == EMPTY and square not in seen)
