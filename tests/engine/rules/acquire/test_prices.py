"""Share prices, and the bonuses that follow from them."""

import pytest

from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAINS, STEPS, chain_label, price
from games.engine.rules.acquire.rule_options import Rules
from tests.engine.rules.acquire import reference_acquire
from tests.engine.rules.acquire.acquire_positions import chain


@pytest.mark.parametrize("tiers", ["2008", "1962"])
@pytest.mark.parametrize("name", CHAIN_BY_NAME)
def test_price_table_matches_printed_chart(tiers: str, name: str) -> None:
    table = Rules(tiers=tiers).prices[chain(name)]  # type: ignore[arg-type]
    assert list(table) == [reference_acquire.price(tiers, name, size) for size in range(109)]


@pytest.mark.parametrize(
    ("name", "size", "dollars"),
    [
        ("continental", 6, 800),
        ("continental", 8, 800),
        ("worldwide", 3, 300),
        ("imperial", 3, 400),
        ("american", 10, 700),
        ("worldwide", 2, 200),
        ("luxor", 41, 1000),
        ("festival", 41, 1100),
        ("tower", 41, 1200),
        ("tower", 40, 1100),
        ("tower", 108, 1200),
        ("tower", 1, 0),
        ("tower", 0, 0),
    ],
)
def test_prices_match_rule_book(name: str, size: int, dollars: int) -> None:
    assert Rules().prices[chain(name)][size] == dollars


def test_chart_of_1962_has_other_tiers() -> None:
    old, new = Rules(tiers="1962").prices, Rules(tiers="2008").prices
    assert (old[chain("tower")][2], new[chain("tower")][2]) == (200, 400)
    assert (old[chain("worldwide")][2], new[chain("worldwide")][2]) == (300, 200)
    assert (old[chain("imperial")][2], new[chain("imperial")][2]) == (400, 300)


@pytest.mark.parametrize(("tier", "first"), [(0, 200), (1, 300), (2, 400)])
def test_price_rises_by_100_at_each_step(tier: int, first: int) -> None:
    at_steps = [price(tier, size) for size in STEPS]
    assert at_steps == list(range(first, first + 900, 100))
    assert [price(tier, size - 1) for size in STEPS[1:]] == at_steps[:-1]


@pytest.mark.parametrize("dollars", range(200, 1300, 100))
def test_majority_is_ten_prices_and_minority_five(dollars: int) -> None:
    majority, minority = bonuses(Rules(), [2, 1, 0], dollars)
    assert (majority.dollars, minority.dollars) == (10 * dollars, 5 * dollars)


def test_purple_chain_has_two_names() -> None:
    assert chain_label("2008", chain("luxor")) == "Sackson"
    assert chain_label("1962", chain("luxor")) == "Luxor"
    assert {chain_label("1962", number) for number in CHAINS} == {
        "Tower", "Continental", "American", "Imperial", "Festival", "Luxor", "Worldwide",
    }  # fmt: skip
