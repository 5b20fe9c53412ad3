"""Majority and minority bonuses, ties and rounding."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules.acquire.bonuses import bonuses, worth
from games.engine.rules.acquire.rule_options import Rules
from tests.engine.rules.acquire.acquire_positions import position

HOLDINGS = st.lists(st.integers(0, 13), min_size=2, max_size=6)
PRICES = st.integers(2, 12).map(lambda step: 100 * step)
ALL_RULES = [Rules(payout=p, rounding=r) for p in ("two", "four") for r in ("up100", "nearest1")]


def paid(rules: Rules, held: list[int], price: int) -> dict[int, int]:
    """Dollars by seat."""
    return {bonus.seat: bonus.dollars for bonus in bonuses(rules, held, price)}


@pytest.mark.parametrize(
    ("held", "price", "expected"),
    [
        pytest.param([10, 8, 6], 500, {0: 5000, 1: 2500}, id="majority and minority, nothing for the third"),
        pytest.param([8, 8, 7], 500, {0: 3800, 1: 3800}, id="a tie for most takes both and rounds up"),
        pytest.param([8, 8, 7], 400, {0: 3000, 1: 3000}, id="an even share is not rounded"),
        pytest.param([8, 7, 7], 500, {0: 5000, 1: 1300, 2: 1300}, id="a tie for second shares the minority"),
        pytest.param([7, 8, 7], 600, {1: 6000, 0: 1500, 2: 1500}, id="seats do not matter"),
        pytest.param([0, 4, 0], 500, {1: 7500}, id="the only holder takes both"),
        pytest.param([0, 0, 0], 500, {}, id="nobody holds a share"),
        pytest.param([3, 3, 3], 700, {0: 3500, 1: 3500, 2: 3500}, id="all tie for most"),
        pytest.param([5, 5, 5, 5], 700, {0: 2700, 1: 2700, 2: 2700, 3: 2700}, id="four tie, rounded up"),
        pytest.param(
            [9, 2, 2, 2, 2], 300, {0: 3000, 1: 400, 2: 400, 3: 400, 4: 400}, id="four tie for second"
        ),
        pytest.param([1, 0, 0, 0, 0, 0], 200, {0: 3000}, id="one share is enough"),
    ],
)
def test_two_places_are_paid(held: list[int], price: int, expected: dict[int, int]) -> None:
    assert paid(Rules(), held, price) == expected


@pytest.mark.parametrize(
    ("held", "price", "expected"),
    [
        pytest.param([8, 8, 7], 500, {0: 3750, 1: 3750}, id="no hundreds"),
        pytest.param([6, 2, 2, 2], 500, {0: 5000, 1: 833, 2: 833, 3: 833}, id="a third is rounded down"),
        pytest.param([6, 2, 2, 2], 400, {0: 4000, 1: 667, 2: 667, 3: 667}, id="two thirds are rounded up"),
        pytest.param([4, 4, 4, 4], 700, {0: 2625, 1: 2625, 2: 2625, 3: 2625}, id="a quarter is whole"),
    ],
)
def test_bonus_is_rounded_to_nearest_dollar(held: list[int], price: int, expected: dict[int, int]) -> None:
    assert paid(Rules(rounding="nearest1"), held, price) == expected


def test_half_dollar_is_rounded_up() -> None:
    rules = Rules(rounding="nearest1", payout="four")
    # Four share the third and fourth place: 75 % of $3,000 is $2,250, a quarter of it $562.50.
    assert paid(rules, [9, 8, 3, 3, 3, 3], 300) == {0: 3000, 1: 2250, 2: 563, 3: 563, 4: 563, 5: 563}


@pytest.mark.parametrize(
    ("held", "price", "expected"),
    [
        pytest.param([10, 8, 6, 4], 400, {0: 4000, 1: 3000, 2: 2000, 3: 1000}, id="four places"),
        pytest.param([10, 8, 6, 4, 2], 400, {0: 4000, 1: 3000, 2: 2000, 3: 1000}, id="nothing for the fifth"),
        pytest.param([10, 8, 6], 400, {0: 4000, 1: 3000, 2: 2000}, id="a place without a holder is not paid"),
        pytest.param([10, 8, 0], 400, {0: 4000, 1: 3000}, id="two holders"),
        pytest.param([0, 5, 0], 400, {1: 7000}, id="the only holder takes the first and second"),
        pytest.param([8, 8, 6, 4], 400, {0: 3500, 1: 3500, 2: 2000, 3: 1000}, id="a tie for first"),
        pytest.param([8, 6, 6, 4], 400, {0: 4000, 1: 2500, 2: 2500, 3: 1000}, id="a tie for second"),
        pytest.param([8, 6, 6, 6], 400, {0: 4000, 1: 2000, 2: 2000, 3: 2000}, id="three tie for second"),
        pytest.param([8, 6, 4, 2, 2], 400, {0: 4000, 1: 3000, 2: 2000, 3: 500, 4: 500}, id="tie for fourth"),
        pytest.param([8, 6, 4, 4, 4], 400, {0: 4000, 1: 3000, 2: 1000, 3: 1000, 4: 1000}, id="tie for third"),
        pytest.param([5] * 5, 400, dict.fromkeys(range(5), 2000), id="five tie for first"),
        pytest.param([8, 8, 8, 8, 2, 2], 400, dict.fromkeys(range(4), 2500), id="four tie, then nobody"),
        pytest.param([10, 8, 6, 4], 300, {0: 3000, 1: 2300, 2: 1500, 3: 800}, id="every bonus is rounded up"),
    ],
)
def test_four_places_are_paid(held: list[int], price: int, expected: dict[int, int]) -> None:
    assert paid(Rules(payout="four"), held, price) == expected


def test_unshared_bonus_is_rounded() -> None:
    assert paid(Rules(payout="four", rounding="nearest1"), [10, 8, 6, 4], 300)[3] == 750
    assert paid(Rules(payout="four", rounding="up100"), [10, 8, 6, 4], 300)[3] == 800


@pytest.mark.parametrize(
    ("held", "places"),
    [
        ([10, 8, 6], [(0, 1, 1, False), (1, 2, 1, False)]),
        ([8, 8, 7], [(0, 1, 2, False), (1, 1, 2, False)]),
        ([8, 7, 7], [(0, 1, 1, False), (1, 2, 2, False), (2, 2, 2, False)]),
        ([0, 4, 0], [(1, 1, 1, True)]),
    ],
)
def test_bonus_has_place_and_ties(held: list[int], places: list[tuple[int, int, int, bool]]) -> None:
    assert [(b.seat, b.place, b.tied, b.sole) for b in bonuses(Rules(), held, 300)] == places


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
@given(held=HOLDINGS, price=PRICES)
def test_larger_holding_is_never_paid_less(rules: Rules, held: list[int], price: int) -> None:
    dollars = paid(rules, held, price)
    for seat, own in enumerate(held):
        for other, theirs in enumerate(held):
            if own > theirs:
                assert dollars.get(seat, 0) >= dollars.get(other, 0)
            if own == theirs:
                assert dollars.get(seat, 0) == dollars.get(other, 0)
    assert all(held[seat] for seat in dollars)


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
@given(held=HOLDINGS, price=PRICES)
def test_bonuses_add_up_to_pot_but_for_rounding(rules: Rules, held: list[int], price: int) -> None:
    holders = sum(map(bool, held))
    shares = (100, 50) if rules.payout == "two" else (100, 75, 50, 25)
    places = 0 if not holders else 2 if holders == 1 else min(holders, len(shares))
    pot = sum(shares[:places]) * price // 10
    unit = 100 if rules.rounding == "up100" else 1
    total = sum(paid(rules, held, price).values())
    if rules.rounding == "up100":
        assert pot <= total < pot + unit * max(holders, 1)
    else:
        assert abs(total - pot) * 2 <= holders


@given(held=st.lists(st.integers(0, 4), min_size=3, max_size=4), price=PRICES)
def test_bonuses_do_not_depend_on_seat_order(held: list[int], price: int) -> None:
    dollars = paid(Rules(), held, price)
    for order in permutations(range(len(held))):
        moved = paid(Rules(), [held[seat] for seat in order], price)
        assert moved == {place: dollars[seat] for place, seat in enumerate(order) if seat in dollars}


def test_worth_is_cash_bonuses_and_share_prices() -> None:
    state = position(
        {"tower": "1A-3A"}, cash=[1000, 2000, 3000], shares={"tower": [4, 2, 0], "american": [0, 0, 9]}
    )
    assert worth(state) == [1000 + 5000 + 4 * 500, 2000 + 2500 + 2 * 500, 3000]
