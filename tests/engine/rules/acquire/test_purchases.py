"""The purchase at the end of each turn."""

from collections import Counter

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import Buy
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import (
    chain,
    decision,
    hand,
    held,
    legal,
    play,
    position,
    records,
)

TWO = {"tower": "1A-3A", "luxor": "1C 2C"}  # Tower $500, Sackson $200


def buying(**fields: object) -> State:
    return position(TWO, **{"hands": ["12I", "12H", "12G"], "decision": "buy 0", **fields})  # type: ignore[arg-type]


def test_purchase_has_at_most_three_shares() -> None:
    assert legal(buying()) == {
        "buy nothing",
        "buy 1 tower", "buy 2 tower", "buy 3 tower",
        "buy 1 luxor", "buy 2 luxor", "buy 3 luxor",
        "buy 1 tower 1 luxor", "buy 2 tower 1 luxor", "buy 1 tower 2 luxor",
    }  # fmt: skip


def test_purchase_mixes_three_chains() -> None:
    state = position({**TWO, "american": "5E 6E"}, decision="buy 0")
    assert "buy 1 tower 1 american 1 luxor" in legal(state)


def test_purchase_pays_price_of_each_share() -> None:
    state = buying()
    events = play(state, "buy 2 tower 1 luxor")
    assert state.cash == [6000 - 1200, 6000, 6000]
    assert records(events, "bought") == [{"seat": 0, "shares": (("tower", 2), ("luxor", 1)), "dollars": 1200}]
    assert (held(state, "tower"), held(state, "luxor")) == ([2, 0, 0], [1, 0, 0])
    assert (state.bank[chain("tower")], state.bank[chain("luxor")]) == (23, 24)


def test_purchase_needs_chain_on_board() -> None:
    state = position(hands=["5E", "", ""])
    play(state, "place 5E")
    assert legal(state) == {"buy nothing"}


def test_price_is_that_after_placement() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "", ""])
    play(state, "place 4A", "buy 1 tower")
    assert state.cash[0] == 6000 - 600


def test_founded_chain_can_be_bought() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""])
    play(state, "place 5F", "found imperial", "buy 3 imperial")
    assert held(state, "imperial") == [4, 0, 0]
    assert state.cash[0] == 6000 - 900


def test_price_after_merger_is_that_of_grown_survivor() -> None:
    state = position({"tower": "1A-3A", "luxor": "5A 6A"}, hands=["4A", "", ""])
    play(state, "place 4A", "buy 1 tower")
    assert state.cash[0] == 6000 - 800
    assert held(state, "luxor") == [0, 0, 0]


@pytest.mark.parametrize(
    ("cash", "affordable"),
    [
        (199, {"buy nothing"}),
        (200, {"buy nothing", "buy 1 luxor"}),
        (499, {"buy nothing", "buy 1 luxor", "buy 2 luxor"}),
        (500, {"buy nothing", "buy 1 luxor", "buy 2 luxor", "buy 1 tower"}),
        (
            700,
            {
                "buy nothing",
                "buy 1 luxor",
                "buy 2 luxor",
                "buy 3 luxor",
                "buy 1 tower",
                "buy 1 tower 1 luxor",
            },
        ),
    ],
)
def test_purchase_is_limited_by_cash(cash: int, affordable: set[str]) -> None:
    assert legal(buying(cash=[cash, 0, 0])) == affordable


def test_last_dollar_can_be_spent() -> None:
    state = buying(cash=[1500, 0, 0])
    play(state, "buy 3 tower")
    assert state.cash[0] == 0


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_purchase_is_limited_by_bank(left: int) -> None:
    state = buying(shares={"tower": [0, 25 - left, 0]})
    most = max(
        [
            move.shares.count(chain("tower"))
            for move in acquire_rule_system.legal_moves(state)
            if isinstance(move, Buy)
        ]
    )
    assert most == left


def test_purchases_are_distinct() -> None:
    state = position({**TWO, "american": "5E 6E", "festival": "9A 10A"}, decision="buy 0")
    assert max(Counter(move.text for move in acquire_rule_system.legal_moves(state)).values()) == 1
    assert len(acquire_rule_system.legal_moves(state)) == 1 + 4 + 10 + 20


def test_purchases_double_if_end_may_be_declared() -> None:
    chains = {name: f"1{row}-11{row}" for name, row in zip(CHAIN_BY_NAME, "ACEGI", strict=False)}
    state = position(chains, decision="buy 0", cash=[50_000, 0, 0])
    assert len(acquire_rule_system.legal_moves(state)) == 2 * (1 + 5 + 15 + 35)


def test_turn_ends_with_drawn_tile() -> None:
    state = position(TWO, hands=["12I 12H 12G 12F 12E 12D", "9I", "9H"], bag="5I 6I 7I")
    events = play(state, "place 12I", "buy nothing")
    assert hand(state, 0) == {"12H", "12G", "12F", "12E", "12D", "5I"}
    assert records(events, "drew") == [{"seat": 0, "count": 1}]
    assert decision(state) == "place 1"
    assert len(state.bag) == 2


def test_hand_is_filled_up_to_six() -> None:
    state = position(TWO, hands=["12I 12H", "9I", "9H"], bag="5I 6I 7I 8I 4I 3I")
    play(state, "place 12I", "buy nothing")
    assert hand(state, 0) == {"12H", "5I", "6I", "7I", "8I", "4I"}


def test_empty_bag_leaves_hand_short() -> None:
    state = position(TWO, hands=["12I 12H", "9I", "9H"], bag="5I")
    play(state, "place 12I", "buy nothing")
    assert hand(state, 0) == {"12H", "5I"}
    events = play(state, "place 9I", "buy nothing")
    assert hand(state, 1) == set()
    assert records(events, "drew") == []
