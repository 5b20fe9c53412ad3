"""Conversion of states to plain values for JSON, and back.

Squares and chains are written by name, tiles in drawing order. Values that follow
from others (sizes, bank, playable tiles) are left out and computed again.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_LETTERS, CHAIN_NAMES, CHAINS, SHARES
from games.engine.rules.acquire.rule_options import from_options, to_options
from games.engine.rules.acquire.state import DECISIONS, OVER, State, empty_state
from games.engine.rules.acquire.turns import ask_for_tile

# Raised when stored games need other code than new ones.
VERSION = 1

_MARKS = {EMPTY: ".", LONE_TILE: "o", **{chain: CHAIN_LETTERS[chain] for chain in CHAINS}}
_VALUES = {mark: value for value, mark in _MARKS.items()} | {"S": CHAIN_BY_NAME["luxor"]}


def names(squares: Iterable[int]) -> str:
    """Names of squares, separated by spaces."""
    return " ".join(SQUARE_NAMES[square] for square in squares)


def squares(text: str) -> list[int]:
    """The squares named in the text; KeyError for an unknown name."""
    return [SQUARE_BY_NAME[name.upper()] for name in text.split()]


def board_to_text(board: Sequence[int], between: str = "/") -> str:
    """The board row by row: "." empty, "o" a lone tile, else the letter of the chain."""
    marks = "".join(_MARKS[value] for value in board)
    return between.join(marks[start : start + COLUMNS] for start in range(0, len(SQUARES), COLUMNS))


def board_from_text(text: str) -> list[int]:
    """Parse a board; ValueError unless it has 108 squares. "S" is Sackson, the same chain as "L"."""
    marks = [mark for mark in text if mark not in "/\n "]
    if len(marks) != len(SQUARES) or not set(marks) <= set(_VALUES):
        raise ValueError(f"A board is {len(SQUARES)} marks out of {' '.join(_VALUES)}.")
    return [_VALUES[mark] for mark in marks]


def state_to_json(state: State) -> dict[str, Any]:
    """Return everything the state holds as JSON values. The result is secret."""
    record: dict[str, Any] = {
        "version": VERSION,
        "rules": to_options(state.rules),
        "seed": state.seed.hex(),
        "board": board_to_text(state.board),
        "hands": [names(hand) for hand in state.hands],
        "bag": names(reversed(state.bag)),
        "cash": state.cash[:],
        "holdings": {CHAIN_NAMES[chain]: held[:] for chain, held in enumerate(state.holdings) if any(held)},
        "first": state.first,
        "turn": state.turn,
        "unchanged": state.unchanged,
        "decision": [state.decision.kind, state.decision.seat],
    }
    if state.aside:
        record["aside"] = names(state.aside)
    if state.turned:
        record["turned"] = state.turned
    if state.coming:
        record["coming"] = names(state.coming)
    if state.tile >= 0:
        record["tile"] = SQUARE_NAMES[state.tile]
    if state.queue or state.survivor:
        record["merger"] = {
            "survivor": CHAIN_NAMES[state.survivor],
            "defunct": CHAIN_NAMES[state.defunct],
            "queue": [CHAIN_NAMES[chain] for chain in state.queue],
            "to_dispose": list(state.to_dispose),
        }
    if state.ended:
        record["ended"] = state.ended
    return record


def state_from_json(record: dict[str, Any]) -> State:
    """Return the state stored in the record; the record is trusted, see `invariants` for checks.

    Raises ValueError for an unknown version.
    """
    if record["version"] != VERSION:
        raise ValueError(f"A state of version {record['version']} cannot be read.")
    state = empty_state(from_options(record["rules"]), len(record["hands"]), bytes.fromhex(record["seed"]))
    state.board = board_from_text(record["board"])
    state.hands = [squares(hand) for hand in record["hands"]]
    state.bag = squares(record["bag"])[::-1]
    state.cash = list(record["cash"])
    for name, held in record["holdings"].items():
        state.holdings[CHAIN_BY_NAME[name]] = list(held)
    for chain in CHAINS:
        state.size[chain] = state.board.count(chain)
        state.bank[chain] = SHARES - sum(state.holdings[chain])
    state.first = record["first"]
    state.turn = record["turn"]
    state.unchanged = record["unchanged"]
    state.aside = tuple(squares(record.get("aside", "")))
    state.turned = record.get("turned", 0)
    state.coming = tuple(squares(record.get("coming", "")))
    state.ended = record.get("ended", "")
    if "tile" in record:
        state.tile = SQUARE_BY_NAME[record["tile"]]
    if merger := record.get("merger"):
        state.survivor = CHAIN_NAMES.index(merger["survivor"])
        state.defunct = CHAIN_NAMES.index(merger["defunct"])
        state.queue = tuple(CHAIN_BY_NAME[name] for name in merger["queue"])
        state.to_dispose = tuple(merger["to_dispose"])
    kind, seat = record["decision"]
    if kind in ("place", "stuck"):
        ask_for_tile(state)
    else:
        state.decision = OVER if kind == "over" else DECISIONS[kind][seat]
    return state
