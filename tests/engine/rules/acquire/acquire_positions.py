"""Compact notation for test positions of Acquire."""

from collections.abc import Mapping, Sequence
from random import Random

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import COLUMNS, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_LETTERS
from games.engine.rules.acquire.events import KINDS
from games.engine.rules.acquire.moves import MOVES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import CASH, State
from tests.engine.rules.game_notation import Notation

LONE = "lone"


def squares(text: str) -> list[str]:
    """The squares named; "1A-4A" stands for a run along a row, "1A-1C" for one down a column."""
    found: list[str] = []
    for word in text.split():
        first, _, last = word.partition("-")
        start, stop = SQUARE_BY_NAME[first], SQUARE_BY_NAME[last or first]
        step = 1 if start // COLUMNS == stop // COLUMNS else COLUMNS
        found += [SQUARE_NAMES[square] for square in range(start, stop + 1, step)]
    return found


def board_text(chains: Mapping[str, str]) -> str:
    """Nine rows of marks for `{"tower": "1A-3A", "lone": "7C"}`."""
    marks = ["."] * len(SQUARES)
    for name, text in chains.items():
        mark = "o" if name == LONE else CHAIN_LETTERS[CHAIN_BY_NAME[name]]
        for square in squares(text):
            assert marks[SQUARE_BY_NAME[square]] == ".", f"{square} is taken twice"
            marks[SQUARE_BY_NAME[square]] = mark
    rows = range(0, len(marks), COLUMNS)
    return "\n".join("".join(marks[start : start + COLUMNS]) for start in rows)


def position(
    chains: Mapping[str, str] | None = None,
    *,
    rules: str = "avalon-hill",
    hands: Sequence[str] = ("", "", ""),
    cash: Sequence[int] | None = None,
    shares: Mapping[str, Sequence[int]] | None = None,
    **fields: object,
) -> State:
    """A position of three players, or of as many as there are `hands`.

    `fields` are lines of a position text, with _ for a space: `decision="buy 1"`, `bag="1A 2A"`.
    Tiles that are in neither bag, hand nor board are set aside.
    """
    if "bag" in fields:
        fields["aside"] = _rest(chains or {}, [*hands, str(fields["bag"])])
    lines = [f"rules: {rules}", "board:", board_text(chains or {})]
    lines += [f"hand {seat}: {hand}" for seat, hand in enumerate(hands)]
    lines.append(f"cash: {' '.join(map(str, cash or [CASH] * len(hands)))}")
    lines += [f"{name}: {' '.join(map(str, held))}" for name, held in (shares or {}).items()]
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in fields.items()]
    return acquire_rule_system.position_from_text("\n".join(lines))


def _rest(chains: Mapping[str, str], elsewhere: Sequence[str]) -> str:
    used = {name for text in chains.values() for name in squares(text)} | set(" ".join(elsewhere).split())
    return " ".join(name for name in SQUARE_NAMES if name not in used)


def chain(name: str) -> int:
    return CHAIN_BY_NAME[name]


def size(state: State, name: str) -> int:
    return state.size[chain(name)]


def held(state: State, name: str) -> list[int]:
    return state.holdings[chain(name)]


def hand(state: State, seat: int) -> set[str]:
    return {SQUARE_NAMES[tile] for tile in state.hands[seat]}


def random_rules(rng: Random) -> Rules:
    """A preset, or any mix of options."""
    if rng.random() < 0.4:
        return rng.choice(list(acquire_rule_system.PRESETS.values()))
    return acquire_rule_system.from_options(
        {name: rng.choice(values) for name, values in acquire_rule_system.OPTIONS.items()}
    )


ACQUIRE = Notation(acquire_rule_system, MOVES, KINDS, random_rules, most_moves=220)

play, records, legal, decision = ACQUIRE.play, ACQUIRE.records, ACQUIRE.legal, ACQUIRE.decision
dealt, midgame, whole_game = ACQUIRE.dealt, ACQUIRE.midgame, ACQUIRE.whole_game
