"""Compact notation for test positions of Acquire."""

from collections.abc import Mapping, Sequence
from random import Random

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import COLUMNS, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_LETTERS
from games.engine.rules.acquire.events import Event
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import CASH, State

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


def play(state: State, *moves: str) -> list[Event]:
    """Play the moves, checking each, and return all events."""
    events: list[Event] = []
    for text in moves:
        move = acquire_rule_system.parse_move(text)
        acquire_rule_system.check_move(state, move)
        events += acquire_rule_system.play(state, move)
        assert acquire_rule_system.invariants(state) == []
    return events


def records(events: Sequence[Event], kind: str) -> list[dict[str, object]]:
    """The events of a kind as dictionaries."""
    return [record for record in map(acquire_rule_system.event_to_json, events) if record.pop("kind") == kind]


def legal(state: State) -> set[str]:
    """The legal moves in notation."""
    return {move.text for move in acquire_rule_system.legal_moves(state)}


def decision(state: State) -> str:
    """The decision and its seat, as in a position text: "buy 1"."""
    return f"{state.decision.kind} {state.decision.seat}"


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


def dealt(rng: Random) -> State:
    """A new game under random rules with a random number of seats."""
    return acquire_rule_system.deal(
        random_rules(rng), rng.choice(acquire_rule_system.SEATS), rng.randbytes(32)
    )


def midgame(rng: Random, *, most: int = 220) -> State:
    """A game after a random number of random moves, which may be over."""
    state = dealt(rng)
    for _ in range(rng.randrange(most)):
        if moves := acquire_rule_system.legal_moves(state):
            acquire_rule_system.apply(state, rng.choice(moves))
    return state
