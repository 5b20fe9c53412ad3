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

from pathlib import Path

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import PARK, SQUARE_BY_NAME
from games.engine.rules.acquisition.rule_options import MATERIALS
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL
from tests.engine.rules.scripted_game import ScriptedGame, plain

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.txt"))
PIECES = {0: "empty", PARK: "park"} | {seat + 1: name for seat, name in enumerate(MATERIALS)}
SIZES = {"large": LARGE, "medium": MEDIUM, "small": SMALL}


class Script(ScriptedGame):
    """A game of Acquisition, played by a script."""

    system = acquisition

    def value(self, name: str) -> str:
        match name.split():
            case ["square", square]:
                return PIECES[self.state.board[SQUARE_BY_NAME[square]]]
            case ["reserve"]:
                return plain(self.state.reserve, " ")
            case [("large" | "medium" | "small") as size]:
                return plain(self.state.buildings[SIZES[size]], " ")
        return super().value(name)


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
