"""Compact notation for test positions of Acquire."""

from collections.abc import Mapping, Sequence
from random import Random

from games.rules import acquire
from games.rules.acquire import State

LONE = "lone"


def squares(text: str) -> list[str]:
    """The squares named; "1A-4A" stands for a run along a row, "1A-1C" for one down a column."""
    found: list[str] = []
    for word in text.split():
        first, _, last = word.partition("-")
        start, stop = acquire.SQUARE_BY_NAME[first], acquire.SQUARE_BY_NAME[last or first]
        step = 1 if start // acquire.COLUMNS == stop // acquire.COLUMNS else acquire.COLUMNS
        found += [acquire.SQUARE_NAMES[square] for square in range(start, stop + 1, step)]
    return found


def board_text(chains: Mapping[str, str]) -> str:
    """Nine rows of marks for `{"tower": "1A-3A", "lone": "7C"}`."""
    marks = ["."] * len(acquire.SQUARES)
    for name, text in chains.items():
        mark = "o" if name == LONE else acquire.CHAIN_LETTERS[acquire.CHAIN_BY_NAME[name]]
        for square in squares(text):
            assert marks[acquire.SQUARE_BY_NAME[square]] == ".", f"{square} is taken twice"
            marks[acquire.SQUARE_BY_NAME[square]] = mark
    rows = range(0, len(marks), acquire.COLUMNS)
    return "\n".join("".join(marks[start : start + acquire.COLUMNS]) for start in rows)


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
    lines.append(f"cash: {' '.join(map(str, cash or [acquire.CASH] * len(hands)))}")
    lines += [f"{name}: {' '.join(map(str, held))}" for name, held in (shares or {}).items()]
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in fields.items()]
    return acquire.position_from_text("\n".join(lines))


def _rest(chains: Mapping[str, str], elsewhere: Sequence[str]) -> str:
    used = {name for text in chains.values() for name in squares(text)} | set(" ".join(elsewhere).split())
    return " ".join(name for name in acquire.SQUARE_NAMES if name not in used)


def play(state: State, *moves: str) -> list[acquire.Event]:
    """Play the moves, checking each, and return all events."""
    events: list[acquire.Event] = []
    for text in moves:
        move = acquire.parse_move(text)
        acquire.check(state, move)
        events += acquire.play(state, move)
        assert acquire.invariants(state) == []
    return events


def records(events: Sequence[acquire.Event], kind: str) -> list[dict[str, object]]:
    """The events of a kind as dictionaries."""
    return [record for record in map(acquire.event_to_json, events) if record.pop("kind") == kind]


def legal(state: State) -> set[str]:
    """The legal moves in notation."""
    return {move.text for move in acquire.legal_moves(state)}


def decision(state: State) -> str:
    """The decision and its seat, as in a position text: "buy 1"."""
    return f"{state.decision.kind} {state.decision.seat}"


def chain(name: str) -> int:
    return acquire.CHAIN_BY_NAME[name]


def size(state: State, name: str) -> int:
    return state.size[chain(name)]


def held(state: State, name: str) -> list[int]:
    return state.holdings[chain(name)]


def hand(state: State, seat: int) -> set[str]:
    return {acquire.SQUARE_NAMES[tile] for tile in state.hands[seat]}


def random_rules(rng: Random) -> acquire.Rules:
    """A preset, or any mix of options."""
    if rng.random() < 0.4:
        return rng.choice(list(acquire.PRESETS.values()))
    return acquire.from_options({name: rng.choice(values) for name, values in acquire.OPTIONS.items()})


def dealt(rng: Random) -> State:
    """A new game under random rules with a random number of seats."""
    return acquire.deal(random_rules(rng), rng.choice(acquire.SEATS), rng.randbytes(32))


def midgame(rng: Random, *, most: int = 220) -> State:
    """A game after a random number of random moves, which may be over."""
    state = dealt(rng)
    for _ in range(rng.randrange(most)):
        if moves := acquire.legal_moves(state):
            acquire.apply(state, rng.choice(moves))
    return state
