"""Drawings of what a better move was about."""

import re

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.engine.rules.acquisition import rule_system as acquisition
from games.web.presenters.acquire.better_move import better_move
from games.web.presenters.acquisition.review_text import better_move as better_building
from games.web.presenters.board_shapes import better_svg
from tests.engine.rules.acquire.acquire_positions import position
from tests.engine.rules.acquisition.acquisition_positions import position as built

CHAINS = {"tower": "1A-3A", "american": "5A-6A", "lone": "9I"}


def drawn(state: State, move: str) -> tuple[str, int, bool]:
    """The line, the number of hatched squares, and whether a square is marked."""
    drawing = better_move(acquire.observe(state, state.decision.seat), acquire.parse_move(move))
    assert 'aria-hidden="true"' in drawing
    assert " hidden" not in drawing.partition(">")[0]
    hatching, joined = re.findall(' d="(.*?)"', drawing)
    return joined, hatching.count("M"), "<rect" in drawing


def line(*squares: int) -> str:
    return re.findall(' d="(.*?)"', better_svg(12, 9, squares))[1]


@pytest.mark.parametrize(
    ("tile", "joined", "hatched"),
    [
        ("4A", line(0, 1, 2, 3, 4, 5), 2),
        ("10I", line(104, 105), 0),
        ("1B", line(0, 1, 2, 12), 0),
        ("12E", line(), 0),
    ],
)
def test_better_tile_shows_its_square_and_the_chain_it_would_make(
    tile: str, joined: str, hatched: int
) -> None:
    state = position(CHAINS, hands=("4A 1B 10I 12E", "", ""))
    assert drawn(state, f"place {tile}") == (joined, hatched, True)


def test_better_purchase_outlines_its_chains() -> None:
    state = position(CHAINS, hands=("12E", "", ""))
    acquire.apply(state, acquire.parse_move("place 12E"))
    assert drawn(state, "buy 1 tower 2 american") == (line(0, 1, 2, 4, 5), 0, False)
    assert drawn(state, "buy nothing") == (line(), 0, False)


def test_better_disposal_outlines_the_survivor_and_hatches_the_defunct_chain() -> None:
    state = position(CHAINS, hands=("4A", "", ""), shares={"american": (4, 0, 0)})
    acquire.apply(state, acquire.parse_move("place 4A"))
    assert state.decision.kind == "dispose"
    assert drawn(state, "dispose trade 2") == (line(0, 1, 2), 2, False)


def test_better_survivor_hatches_the_others() -> None:
    state = position({"tower": "1A-2A", "american": "4A-5A"}, hands=("3A", "", ""))
    acquire.apply(state, acquire.parse_move("place 3A"))
    assert state.decision.kind == "survivor"
    assert drawn(state, "survivor tower") == (line(0, 1, 2, 3, 4), 2, False)


def test_better_building_site_is_marked() -> None:
    state = built({"S": "b4", "C": "b3"}, seats=3)
    seen = acquisition.observe(state, state.decision.seat)
    assert better_building(seen, acquisition.parse_move("place b2")).count("<rect") == 1
    assert "<rect" not in better_building(seen, acquisition.parse_move("decline"))
