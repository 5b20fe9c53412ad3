"""Compact notation for test positions of Acquisition."""

from collections.abc import Mapping
from random import Random

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SIDE, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquisition.events import KINDS
from games.engine.rules.acquisition.moves import MOVES
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import State
from tests.engine.rules.game_notation import Notation

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


def on(state: State, mark: str) -> set[str]:
    """The squares of the pieces with this letter."""
    text = acquisition.position_to_text(state).partition("board:\n")[2].replace("\n", "")
    return {SQUARE_NAMES[square] for square in SQUARES if text[square] == mark}


def random_rules(rng: Random) -> Rules:
    """The standard, or any number of tiles."""
    return Rules(rng.choice([40, 40, rng.randint(1, 40)]))


ACQUISITION = Notation(acquisition, MOVES, KINDS, random_rules, most_moves=100)

play, records, legal, decision = (
    ACQUISITION.play,
    ACQUISITION.records,
    ACQUISITION.legal,
    ACQUISITION.decision,
)
dealt, midgame, whole_game = ACQUISITION.dealt, ACQUISITION.midgame, ACQUISITION.whole_game
