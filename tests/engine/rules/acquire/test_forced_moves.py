"""Forced moves, as far as public information forces them."""

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import legal, play, position

TWO = {"tower": "1A-3A", "luxor": "1C 2C"}  # Tower $500, Sackson $200


def forced(state: State) -> str | None:
    move = acquire_rule_system.forced_move(state)
    return None if move is None else str(move)


def test_purchase_is_forced_without_chain_on_board() -> None:
    state = position(hands=["5E", "", ""])
    assert forced(state) is None
    play(state, "place 5E")
    assert forced(state) == "buy nothing"


def test_purchase_is_forced_without_affordable_share() -> None:
    assert forced(position(TWO, cash=[199, 6000, 6000], decision="buy 0")) == "buy nothing"
    assert forced(position(TWO, cash=[200, 6000, 6000], decision="buy 0")) is None


def test_purchase_is_forced_when_bank_is_empty() -> None:
    shares = {"tower": [0, 25, 0], "luxor": [0, 0, 25]}
    assert forced(position(TWO, shares=shares, decision="buy 0")) == "buy nothing"
    shares = {"tower": [0, 25, 0], "luxor": [0, 0, 24]}
    assert forced(position(TWO, shares=shares, decision="buy 0")) is None


def test_purchase_is_not_forced_if_end_can_be_declared() -> None:
    state = position({"tower": "1A-11A"}, cash=[0, 0, 0], decision="buy 0")
    assert legal(state) == {"buy nothing", "buy nothing and end"}
    assert forced(state) is None


def test_hidden_cash_forces_nothing_but_empty_bank_does() -> None:
    hidden = "avalon-hill holdings=hidden"
    poor = position(TWO, rules=hidden, cash=[0, 6000, 6000], decision="buy 0")
    assert legal(poor) == {"buy nothing"}
    assert forced(poor) is None
    shares = {"tower": [0, 25, 0], "luxor": [0, 0, 25]}
    assert forced(position(TWO, rules=hidden, shares=shares, decision="buy 0")) == "buy nothing"


@pytest.mark.parametrize("hand", ["12I", "2B"])
def test_choice_of_tile_is_never_forced(hand: str) -> None:
    """A forced move would reveal the hand: 2B would join two safe chains, so at most one tile is playable."""
    state = position({"tower": "1A-11A", "luxor": "1C-11C"}, hands=[hand, "", ""], bag="12H")
    assert len(legal(state)) <= 2
    assert forced(state) is None


def test_disposal_is_never_forced() -> None:
    state = position({"tower": "1A-3A", "luxor": "5A 6A"}, hands=["4A", "", ""], shares={"luxor": [1, 0, 0]})
    play(state, "place 4A")
    assert legal(state) == {"dispose nothing", "dispose sell 1"}
    assert forced(state) is None
