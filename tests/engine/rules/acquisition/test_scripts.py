"""Scripts in scripts/: positions and moves that people can read.

A script is a position (as `position_from_text` reads it), the line `play:`, and then, in order:

    0 place c1                            seat 0 must decide, and plays this legal move
      told: boughtout seat=0 squares=b1   an event of the last move, with some of its values
      not told: landmark                  no event of this kind
      decision: buyout 1                  the decision and its seat, "over" at the end
      square b1: brick                    the piece there: a material, "park" or "empty"
      reserve: 36 39                      tiles by seat
      large: 1 0                          buildings by seat; likewise medium and small
      legal: buy out, decline             all legal moves, and no other
      refused: place d1 (too large)       an illegal move, and the reason
      standings: 1 2                      ranks by seat

Indented lines must hold; "#" starts a comment.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import PARK, SQUARE_BY_NAME
from games.engine.rules.acquisition.events import Event
from games.engine.rules.acquisition.rule_options import MATERIALS
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL
from games.engine.rules.rule_errors import IllegalMove

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.txt"))
PIECES = {0: "empty", PARK: "park"} | {seat + 1: name for seat, name in enumerate(MATERIALS)}
SIZES = {"large": LARGE, "medium": MEDIUM, "small": SMALL}


class Script:
    """A game played by a script."""

    def __init__(self, text: str) -> None:
        lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        start = lines.index("play:")
        self.state = acquisition.position_from_text("\n".join(lines[:start]))
        self.lines = lines[start + 1 :]
        self.events: list[Event] = []

    def run(self) -> Iterator[str]:
        """Every line that does not hold, with the actual value."""
        for line in self.lines:
            if line.startswith(" "):
                name, _, expected = line.strip().partition(": ")
                if (found := self.holds(name, expected)) != expected:
                    yield f"{line.strip()} <-- {found}"
            else:
                self.move(line)

    def move(self, line: str) -> None:
        seat, _, text = line.partition(" ")
        state, move = self.state, acquisition.parse_move(text)
        assert acquisition.decider(state) == int(seat), f"{line} <-- asked is {self.asked()}"
        acquisition.check_move(state, move)
        self.events = acquisition.play(state, move)
        assert acquisition.invariants(state) == [], line
        again = acquisition.position_from_text(acquisition.position_to_text(state))
        assert acquisition.state_to_json(again) == acquisition.state_to_json(state), line

    def holds(self, name: str, expected: str) -> str:
        """The actual value, in the words of the script; `expected` itself if it is true."""
        state = self.state
        match name.split():
            case ["told"]:
                events = [words(event, expected) for event in self.events]
                return expected if expected in events else " / ".join(events)
            case ["not", "told"]:
                kinds = [acquisition.event_to_json(event)["kind"] for event in self.events]
                return "told" if expected in kinds else expected
            case ["decision"]:
                return self.asked()
            case ["square", square]:
                return PIECES[state.board[SQUARE_BY_NAME[square]]]
            case ["reserve"]:
                return plain(state.reserve, " ")
            case [("large" | "medium" | "small") as size]:
                return plain(state.buildings[SIZES[size]], " ")
            case ["legal"]:
                return plain([move.text for move in acquisition.legal_moves(state)], ", ")
            case ["refused"]:
                text = expected.partition(" (")[0]
                return f"{text} ({self.refusal(text)})"
            case ["standings"]:
                ranks = {seat: rank for rank, seat, _ in acquisition.standings(state)}
                return plain([ranks[seat] for seat in range(state.seats)], " ")
        raise AssertionError(f"no line {name}")

    def asked(self) -> str:
        kind, seat = self.state.decision.kind, self.state.decision.seat
        return kind if kind == "over" else f"{kind} {seat}"

    def refusal(self, text: str) -> str:
        try:
            acquisition.check_move(self.state, acquisition.parse_move(text))
        except IllegalMove as refusal:
            return refusal.reason
        return "legal"


def words(event: Event, expected: str) -> str:
    """The event in the form `kind name=value …`, with the names that are expected."""
    record = acquisition.event_to_json(event)
    kind = record.pop("kind")
    named = [part.partition("=")[0] for part in expected.split()[1:]]
    names = [name for name in named if name in record] if expected.split()[0] == kind else list(record)
    return " ".join([kind, *(f"{name}={plain(record[name])}" for name in names)])


def plain(value: object, between: str = ",") -> str:
    if isinstance(value, list | tuple):
        return between.join(map(plain, value))
    if value is None:
        return "nobody"
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_holds(path: Path) -> None:
    assert list(Script(path.read_text()).run()) == []


def test_scripts_exist() -> None:
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize(
    "wrong",
    [
        "told: landmark seat=1",
        "told: completed squares=a1,b1",
        "not told: completed",
        "decision: place 1",
        "square b1: brick",
        "reserve: 37 39",
        "large: 1 0",
        "medium: 1 0",
        "small: 0 0",
        "legal: buy out",
        "refused: buy out (over)",
        "refused: place d1 (too large)",
        "standings: 2 1",
    ],
)
def test_wrong_line_of_script_is_detected(wrong: str) -> None:
    text = Path(__file__).with_name("scripts").joinpath("the owner of two buys out.txt").read_text()
    head, _, _ = text.partition("play:")
    assert len(list(Script(f"{head}play:\n0 place c1\n  {wrong}\n").run())) == 1
