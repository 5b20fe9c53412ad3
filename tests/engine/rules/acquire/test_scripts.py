"""Scripts in scripts/: positions and moves that people can read.

A script is a position (as `position_from_text` reads it), the line `play:`, and then, in order:

    0 place 4A                            seat 0 must decide, and plays this legal move
      told: merged survivor=tower         an event of the last move, with some of its values
      not told: bonuspaid                 no event of this kind
      decision: dispose 1                 a line of the position text now; also cash, tower, hand 0, …
      size tower: 6                       tiles of a chain, and likewise: bank tower: 20
      legal: next american, next luxor    all legal moves, and no other
      refused: dispose trade 4 (too few to trade for)
                                          an illegal move, and the reason
      standings: 1 2 2 4                  ranks by seat at the end

Indented lines must hold; "#" starts a comment.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.events import Event
from games.engine.rules.acquire.state import State
from games.engine.rules.rule_errors import IllegalMove

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.txt"))


class Script:
    """A game played by a script."""

    def __init__(self, text: str) -> None:
        lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        start = lines.index("play:")
        self.state = acquire.position_from_text("\n".join(lines[:start]))
        self.lines = lines[start + 1 :]
        self.events: list[Event] = []

    def run(self) -> Iterator[str]:
        """Every line that does not hold, with the actual value."""
        for line in self.lines:
            if line.startswith(" "):
                name, _, expected = line.strip().partition(":")
                found = self.holds(name, expected.strip())
                if found != expected.strip():
                    yield f"{line.strip()} <-- {found}"
            else:
                self.move(line)

    def move(self, line: str) -> None:
        seat, _, text = line.partition(" ")
        state, move = self.state, acquire.parse_move(text)
        assert acquire.decider(state) == int(seat), f"{line} <-- asked is {asked(state)}"
        acquire.check_move(state, move)
        self.events = acquire.play(state, move)
        assert acquire.invariants(state) == [], line
        again = acquire.position_from_text(acquire.position_to_text(state))
        assert acquire.state_to_json(again) == acquire.state_to_json(state), line

    def holds(self, name: str, expected: str) -> str:
        """The actual value, in the words of the script; `expected` itself if it is true."""
        state = self.state
        match name.split():
            case ["told"]:
                events = [self.words(event, expected) for event in self.events]
                return expected if expected in events else " / ".join(events)
            case ["not", "told"]:
                kinds = [acquire.event_to_json(event)["kind"] for event in self.events]
                return "told" if expected in kinds else expected
            case ["legal"]:
                moves = {move.text for move in acquire.legal_moves(state)}
                wanted = {text.strip() for text in expected.split(",")}
                return expected if moves == wanted else ", ".join(sorted(moves))
            case ["refused"]:
                text, _, reason = expected.removesuffix(")").partition(" (")
                return f"{text} ({self.refusal(text)})" if reason else "needs a reason"
            case ["size", chain]:
                return str(state.size[CHAIN_BY_NAME[chain]])
            case ["bank", chain] if chain in CHAIN_BY_NAME:
                return str(state.bank[CHAIN_BY_NAME[chain]])
            case ["standings"]:
                ranks = {seat: rank for rank, seat, _ in acquire.standings(state)}
                return " ".join(str(ranks[seat]) for seat in range(state.seats))
            case ["decision"]:
                return asked(state)
        return field(state, name)

    def words(self, event: Event, expected: str) -> str:
        """The event in the form `kind name=value …`, with the names that are expected."""
        record = acquire.event_to_json(event)
        kind = record.pop("kind")
        named = [part.partition("=")[0] for part in expected.split()[1:]]
        names = [name for name in named if name in record] if expected.split()[0] == kind else list(record)
        return " ".join([kind, *(f"{name}={plain(record[name])}" for name in names)])

    def refusal(self, text: str) -> str:
        before = acquire.state_to_json(self.state)
        try:
            acquire.check_move(self.state, acquire.parse_move(text))
        except IllegalMove as refusal:
            assert acquire.state_to_json(self.state) == before
            return refusal.reason
        return "legal"


def asked(state: State) -> str:
    """The decision and its seat; "over" after the end."""
    kind, seat = state.decision.kind, state.decision.seat
    return kind if kind == "over" else f"{kind} {seat}"


def plain(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(plain, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def field(state: State, name: str) -> str:
    """The value of a line of the position text; zeros for shares that nobody holds."""
    for line in acquire.position_to_text(state).splitlines():
        found, colon, value = line.partition(":")
        if colon and found == name:
            return value.strip()
    assert name in CHAIN_BY_NAME or name in ("tile", "merger", "ended", "bank tiles"), f"no line {name}"
    return " ".join("0" * state.seats) if name in CHAIN_BY_NAME else ""


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_holds(path: Path) -> None:
    assert list(Script(path.read_text()).run()) == []


def test_scripts_exist() -> None:
    assert len(SCRIPTS) >= 18


@pytest.mark.parametrize(
    "wrong",
    [
        "cash: 1 2 3",
        "told: merged survivor=american",
        "not told: merged",
        "legal: buy nothing",
        "refused: dispose nothing (too few held)",
        "refused: dispose sell 20 (too few to trade for)",
        "size tower: 4",
        "bank tower: 1",
        "decision: buy 0",
        "tower: 9 9 9",
    ],
)
def test_wrong_line_of_script_is_detected(wrong: str) -> None:
    text = Path(__file__).with_name("scripts").joinpath("two chains.txt").read_text()
    head, _, _ = text.partition("play:")
    assert len(list(Script(f"{head}play:\n0 place 4A\n  {wrong}\n").run())) == 1
