"""Compact notation for test positions of Acquisition."""

from collections.abc import Mapping, Sequence
from random import Random

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SIDE, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquisition.events import Event
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import State

# Parks in the last corner, out of the way, for each number of players.
PARKS = {2: "l12 k12 i12 l11 l8 j11", 3: "l12 k12 i12 l11 l8 j11", 4: "l12 k12 i12 l8"}

# A full board but for the squares named by `FREE`: rows of groups of three, each row shifted against
# the one before, 9 groups of seat 0 and 9 of seat 1.
FULL = "\n".join(
    ["BBB.SSS.BBB.", "............", ".SSS.BBB.SSS", "............"] * 3,
)  # fmt: skip
FREE = "a12 e12 i12"


def position(
    tiles: Mapping[str, str] | str | None = None,
    *,
    seats: int = 2,
    parks: str | None = None,
    tiles_each: int = 0,
    **fields: object,
) -> State:
    """A position from rows, or from squares by letter of the material: `{"B": "a1 a2", "S": "a3"}`.

    `fields` are lines of a position text: `turn=1`, `tile="a3"`. Seat 0 is on turn by default.
    `tiles_each` is the number of tiles that the players agreed on.
    """
    rules = f"standard tiles={tiles_each}" if tiles_each else "standard"
    fields = {"turn": 0, **fields}
    lines = [f"rules: {rules}", f"seats: {seats}", "board:"]
    lines.append(board_text(tiles or {}, PARKS[seats] if parks is None else parks))
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return acquisition.position_from_text("\n".join(lines))


def board_text(tiles: Mapping[str, str] | str, parks: str) -> str:
    """Twelve rows of marks."""
    rows, squares = (tiles, {}) if isinstance(tiles, str) else ("", tiles)
    marks = list(rows.replace("\n", "")) or ["."] * len(SQUARES)
    for mark, names in {**squares, "P": parks}.items():
        for name in names.split():
            assert marks[SQUARE_BY_NAME[name]] == ".", f"{name} is taken twice"
            marks[SQUARE_BY_NAME[name]] = mark
    return "\n".join("".join(marks[start : start + SIDE]) for start in range(0, len(SQUARES), SIDE))


def play(state: State, *moves: str) -> list[Event]:
    """Play the moves, checking each, and return all events."""
    events: list[Event] = []
    for text in moves:
        move = acquisition.parse_move(text)
        acquisition.check_move(state, move)
        events += acquisition.play(state, move)
        assert acquisition.invariants(state) == []
    return events


def records(events: Sequence[Event], kind: str) -> list[dict[str, object]]:
    """The events of a kind as dictionaries."""
    return [record for record in map(acquisition.event_to_json, events) if record.pop("kind") == kind]


def legal(state: State) -> set[str]:
    """The legal moves in notation."""
    return {move.text for move in acquisition.legal_moves(state)}


def decision(state: State) -> str:
    """The decision and its seat: "place 1"."""
    return f"{state.decision.kind} {state.decision.seat}"


def on(state: State, mark: str) -> set[str]:
    """The squares of the pieces with this letter."""
    text = acquisition.position_to_text(state).partition("board:\n")[2].replace("\n", "")
    return {SQUARE_NAMES[square] for square in SQUARES if text[square] == mark}


def random_rules(rng: Random) -> Rules:
    """The standard, or any number of tiles."""
    return Rules(rng.choice([40, 40, rng.randint(1, 40)]))


def dealt(rng: Random) -> State:
    """A new game under random rules with a random number of seats, with an empty board."""
    return acquisition.deal(random_rules(rng), rng.choice(acquisition.SEATS), rng.randbytes(32))


def midgame(rng: Random, *, most: int = 100) -> State:
    """A game after a random number of random moves, which may be over."""
    state = dealt(rng)
    for _ in range(rng.randrange(most)):
        if moves := acquisition.legal_moves(state):
            acquisition.apply(state, rng.choice(moves))
    return state
