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

from pathlib import Path

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.state import State
from tests.engine.rules.scripted_game import ScriptedGame

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.txt"))


class Script(ScriptedGame):
    """A game of Acquire, played by a script."""

    system = acquire

    def value(self, name: str) -> str:
        match name.split():
            case ["size", chain]:
                return str(self.state.size[CHAIN_BY_NAME[chain]])
            case ["bank", chain] if chain in CHAIN_BY_NAME:
                return str(self.state.bank[CHAIN_BY_NAME[chain]])
        return field(self.state, name)


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
