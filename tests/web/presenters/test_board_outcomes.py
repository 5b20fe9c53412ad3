"""Drawings of what an answer would do to the board."""

import re

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.board_outcomes import outcomes
from games.web.presenters.acquire.hand_view import tile_effects
from games.web.presenters.board_shapes import outcome_svg
from tests.engine.rules.acquire.acquire_positions import position
from tests.web.presenters.presenter_cases import WANTED, readers

CHAINS = {"tower": "1A-3A", "american": "5A-6A", "lone": "9I"}


def drawn(state: State, seat: int | None = 0) -> dict[str, tuple[str, int]]:
    """The line of each drawing by its answer, and the number of hatched squares."""
    seen = acquire.observe(state, seat)
    drawings = outcomes(seen, readers(state.seats, seat), tile_effects(seen))
    assert all(" hidden>" in one and 'aria-hidden="true"' in one for one in drawings)
    found = [re.findall('data-outcome="(.*?)"| d="(.*?)"', one) for one in drawings]
    return {answer[0]: (joined[1], hatching[1].count("M")) for answer, hatching, joined in found}


def line(*squares: int) -> str:
    return re.findall(' d="(.*?)"', outcome_svg(12, 9, "", squares, ()))[1]


def test_chosen_tile_outlines_the_chain_and_hatches_what_goes_defunct() -> None:
    state = position(CHAINS, hands=("4A 4B 10I 12E", "", ""))
    assert drawn(state) == {
        "4A": (line(0, 1, 2, 3, 4, 5), 2),
        "10I": (line(104, 105), 0),
    }


def test_tile_that_grows_a_chain_hatches_nothing() -> None:
    assert drawn(position(CHAINS, hands=("1B", "", ""))) == {"1B": (line(0, 1, 2, 12), 0)}


def test_nothing_is_hatched_while_the_survivor_is_open() -> None:
    state = position({"tower": "1A-2A", "american": "4A-5A"}, hands=("3A", "", ""))
    assert drawn(state) == {"3A": (line(0, 1, 2, 3, 4), 0)}


def test_each_survivor_hatches_the_others() -> None:
    shown = drawn(WANTED["survivor"]())
    assert {answer: hatched for answer, (_line, hatched) in shown.items()} == {"american": 5, "tower": 5}
    assert len({joined for joined, _hatched in shown.values()}) == 1


def test_only_the_one_who_is_asked_sees_drawings() -> None:
    state = position(CHAINS, hands=("4A", "4B", ""))
    assert drawn(state, 1) == drawn(state, None) == {}
