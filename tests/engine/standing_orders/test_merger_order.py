"""Standing orders for mergers: their content, and their answers in a merger."""

import json
from random import Random

import pytest

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Dispose
from games.engine.rules.rule_systems import SYSTEMS
from games.engine.standing_orders.acquire.merger_order import Order, order_from_json, order_to_json, topic
from games.engine.standing_orders.acquire.order_decision import answer, concerned, occasion, of_use
from games.engine.standing_orders.order_errors import InvalidOrder
from games.engine.standing_orders.order_systems import ORDERS, order_answer
from tests.engine.rules.acquire.acquire_positions import chain, play, position
from tests.support.standing_orders import random_order

# 4A joins Sackson (luxor), two tiles at $200, to Tower, three tiles at $500.
MERGER = {"tower": "1A-3A", "luxor": "5A 6A"}


def merger(luxor: int, tower: list[int] | None = None, **fields: object) -> acquire.Observation:
    """The observation of seat 0 when it must dispose of `luxor` Sackson shares; Tower survives."""
    shares = {"luxor": [luxor, 0, 0], "tower": tower or [0, 0, 0]}
    state = position(MERGER, hands=["4A", "", ""], shares=shares, **fields)  # type: ignore[arg-type]
    play(state, "place 4A")
    return acquire.observe(state, 0)


def said(order: Order, seen: acquire.Observation) -> str | OwnerMustDecide:
    found = answer(order, seen)
    return found if isinstance(found, OwnerMustDecide) else str(found)


# -- Numbers of shares -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hold", "trade", "move"),
    [
        (0, None, "dispose sell 1 trade 6"),
        (1, None, "dispose trade 6"),
        (2, None, "dispose sell 1 trade 4"),
        (0, 0, "dispose sell 7"),
        (0, 4, "dispose sell 3 trade 4"),
        (3, 4, "dispose trade 4"),
        (7, 0, "dispose nothing"),
        (None, 0, "dispose nothing"),
        (None, None, "dispose nothing"),
    ],
)
def test_order_holds_and_trades_and_sells_rest(hold: int | None, trade: int | None, move: str) -> None:
    assert said(Order(hold=hold, trade=trade), merger(7)) == move


def test_trade_of_most_is_limited_by_bank() -> None:
    seen = merger(7, tower=[0, 20, 3])
    assert said(Order(), seen) == "dispose sell 3 trade 4"
    assert said(Order(), merger(7, tower=[0, 20, 5])) == "dispose sell 7"


def test_order_beyond_holding_asks_owner() -> None:
    facts = {"chain": "luxor", "held": 3}
    assert said(Order(hold=4), merger(3)) == OwnerMustDecide("too few held", {**facts, "wanted": 4})
    assert said(Order(hold=2, trade=2), merger(3)) == OwnerMustDecide("too few held", {**facts, "wanted": 4})
    assert said(Order(hold=1, trade=2), merger(3)) == "dispose trade 2"


def test_trade_beyond_bank_asks_owner() -> None:
    seen = merger(7, tower=[0, 20, 3])
    facts = {"survivor": "tower", "stock": 2, "wanted": 3}
    assert said(Order(trade=6), seen) == OwnerMustDecide("too few to trade for", facts)
    assert said(Order(trade=4), seen) == "dispose sell 3 trade 4"


# -- Conditions ------------------------------------------------------------------------------------------


def test_other_survivor_asks_owner() -> None:
    facts = {"survivor": "tower", "wanted": "american"}
    assert said(Order(survivor=chain("american")), merger(2)) == OwnerMustDecide("other survivor", facts)
    assert said(Order(survivor=chain("tower")), merger(2)) == "dispose trade 2"


def test_too_few_shares_in_bank_ask_owner() -> None:
    seen = merger(2, tower=[0, 20, 0])
    assert said(Order(bank=5), seen) == "dispose trade 2"
    facts = {"survivor": "tower", "stock": 5, "wanted": 6}
    assert said(Order(bank=6), seen) == OwnerMustDecide("bank", facts)


def test_too_many_tiles_to_draw_ask_owner() -> None:
    seen = merger(2, bag="12A 12B 12C")
    assert said(Order(tiles=3), seen) == "dispose trade 2"
    assert said(Order(tiles=2), seen) == OwnerMustDecide("tiles", {"left": 3, "wanted": 2})


@pytest.mark.parametrize(
    ("tower", "majority", "minority"),
    [
        ([0, 0, 0], True, True),  # the only holder
        ([2, 3, 0], True, True),  # four to three
        ([1, 3, 0], True, True),  # shared
        ([0, 3, 0], False, True),
        ([0, 3, 2], False, True),  # a shared minority
        ([0, 4, 3], False, False),
    ],
)
def test_place_is_that_after_disposal(tower: list[int], majority: bool, minority: bool) -> None:
    seen = merger(4, tower=tower)
    for place, met in (("majority", majority), ("minority", minority)):
        asked = OwnerMustDecide("place", {"survivor": "tower", "wanted": place})
        assert said(Order(place=place), seen) == ("dispose trade 4" if met else asked)


def test_third_place_is_no_minority() -> None:
    seen = merger(2, tower=[0, 5, 4], rules="avalon-hill payout=four")
    assert said(Order(place="minority"), seen) == OwnerMustDecide(
        "place", {"survivor": "tower", "wanted": "minority"}
    )


def test_place_in_hidden_holdings_asks_owner() -> None:
    seen = merger(4, tower=[6, 0, 0], rules="avalon-hill holdings=hidden")
    assert said(Order(place="majority"), seen) == OwnerMustDecide("hidden")
    assert said(Order(), seen) == "dispose trade 4"


# -- Occasions -------------------------------------------------------------------------------------------


def test_merger_concerns_defunct_chain_and_any() -> None:
    seen = merger(2)
    assert concerned(seen) == ("luxor", "")
    assert occasion(seen) == "4A"
    assert topic(Order()) == ""
    assert topic(Order(chain=chain("luxor"))) == "luxor"


def test_other_decisions_concern_no_order() -> None:
    state = position(MERGER, hands=["4A", "", ""], shares={"luxor": [1, 1, 0]})
    assert concerned(acquire.observe(state, 0)) == ()
    play(state, "place 4A")
    assert concerned(acquire.observe(state, 1)) == ()
    assert concerned(acquire.observe(state, None)) == ()
    play(state, "dispose nothing")
    assert concerned(acquire.observe(state, 1)) == ("luxor", "")
    play(state, "dispose nothing")
    assert concerned(acquire.observe(state, 0)) == ()


def test_orders_are_useless_if_shares_must_be_held() -> None:
    assert {name for name, rules in acquire.PRESETS.items() if not of_use(rules)} == {"course"}


# -- Several orders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("otherwise", "with_any", "tried"),
    [
        ("ask", True, ["luxor asks"]),
        ("any", True, ["luxor asks", " dispose sell 2"]),
        ("any", False, ["luxor asks"]),
    ],
)
def test_order_that_passes_on_leads_to_order_for_any_chain(
    otherwise: str, with_any: bool, tried: list[str]
) -> None:
    mine = {"luxor": Order(chain=chain("luxor"), hold=5, otherwise=otherwise)}
    if with_any:
        mine[""] = Order(trade=0)
    found = order_answer("acquire", mine, merger(2))
    assert [
        f"{topic} {'asks' if isinstance(move, OwnerMustDecide) else move}" for topic, move in found
    ] == tried


def test_followed_order_does_not_pass_on() -> None:
    mine = {"luxor": Order(chain=chain("luxor"), trade=0, otherwise="any"), "": Order(hold=None)}
    assert [(topic, str(move)) for topic, move in order_answer("acquire", mine, merger(2))] == [
        ("luxor", "dispose sell 2")
    ]


def test_order_for_any_chain_does_not_pass_on() -> None:
    assert order_from_json({"otherwise": "any"}).otherwise == "ask"
    assert order_from_json({"chain": "tower", "otherwise": "any"}).otherwise == "any"
    with pytest.raises(InvalidOrder):
        order_from_json({"otherwise": "sell"})


# -- Plain values ----------------------------------------------------------------------------------------


def test_order_survives_json() -> None:
    rng = Random(1)
    for order in [Order(), *(random_order(rng) for _ in range(200))]:
        record = json.loads(json.dumps(order_to_json(order)))
        assert order_from_json(record) == order
    assert order_from_json({}) == Order()


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "no order"),
        ("sell", "no order"),
        ({"chain": "hilton"}, "no order"),
        ({"chain": ["tower"]}, "no order"),
        ({"place": "third"}, "no order"),
        ({"hold": 26}, "hold"),
        ({"hold": -1}, "hold"),
        ({"hold": "2"}, "hold"),
        ({"hold": True}, "hold"),
        ({"trade": 1.5}, "trade"),
        ({"trade": 3}, "odd"),
        ({"hold": "all", "trade": 2}, "hold all"),
        ({"hold": 20, "trade": 6}, "more than there are"),
        ({"bank": 26}, "bank"),
        ({"tiles": 109}, "tiles"),
        ({"chain": "tower", "survivor": "tower"}, "itself"),
    ],
)
def test_invalid_order_is_refused_with_reason(record: object, reason: str) -> None:
    with pytest.raises(InvalidOrder) as refusal:
        order_from_json(record)
    assert refusal.value.reason == reason


# -- Random games ----------------------------------------------------------------------------------------


def test_systems_with_orders_are_rule_systems() -> None:
    assert set(ORDERS) <= set(SYSTEMS)


@pytest.mark.parametrize("preset", acquire.PRESETS)
def test_order_answers_are_legal_and_exact(preset: str) -> None:
    rng, answers, asks = Random(preset), 0, set()
    for seats in acquire.SEATS:
        state = acquire.deal(acquire.PRESETS[preset], seats, rng.randbytes(32))
        while legal := acquire.legal_moves(state):
            seen = acquire.observe(state, acquire.decider(state))
            move = rng.choice(list(legal))
            if concerned(seen):
                for order in (random_order(rng) for _ in range(5)):
                    found = answer(order, seen)
                    if isinstance(found, OwnerMustDecide):
                        asks.add(found.reason)
                    else:
                        assert found in legal
                        held = seen.holdings[seen.defunct][seen.seat]
                        assert isinstance(found, Dispose)
                        kept = held - found.sell - found.trade
                        assert kept == held if order.hold is None else kept == order.hold
                        assert order.trade in (None, found.trade)
                        answers, move = answers + 1, found
            acquire.apply(state, move)
    if of_use(acquire.PRESETS[preset]):
        assert answers > 20
        assert asks >= {"other survivor", "too few held"}
