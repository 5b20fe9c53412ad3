"""Final payments and ranks."""

import pytest

from games.engine.rules.acquire.bonuses import worth
from games.engine.rules.acquire.chains import TIERS
from games.engine.rules.acquire.turns import standings
from tests.engine.rules.acquire.acquire_positions import held, play, position, records

ENDING = {"tower": "1A-11A", "american": "1C-11C", "worldwide": "1E-12E", "imperial": "1G-11G"}


def paid_in_order(rules: str, chains: dict[str, str]) -> list[str]:
    shares = {name: [1, 0, 0] for name in chains}
    state = position(chains, rules=rules, shares=shares, decision="buy 0")
    events = play(state, "buy nothing and end")
    order = [str(record["chain"]) for record in records(events, "bonuspaid")]
    assert [record["chain"] for record in records(events, "soldatend")] == order
    return order


def test_smallest_chain_is_paid_first_then_by_tier() -> None:
    assert paid_in_order("avalon-hill", ENDING) == ["imperial", "american", "tower", "worldwide"]
    assert paid_in_order("classic", ENDING) == ["tower", "american", "imperial", "worldwide"]


@pytest.mark.parametrize("tiers", TIERS)
def test_equal_chains_follow_tier_table(tiers: str) -> None:
    names = [name for row in TIERS[tiers] for name in row]
    rows = dict(zip(reversed(names[:5]), "ACEGI", strict=True))
    chains = {name: f"1{row}-12{row}" for name, row in rows.items()}
    assert paid_in_order(f"avalon-hill tiers={tiers}", chains) == names[:5]


def test_tiers_are_ordered_from_low_to_high() -> None:
    assert TIERS["2008"] == (
        ("worldwide", "luxor"),
        ("festival", "imperial", "american"),
        ("continental", "tower"),
    )
    assert TIERS["1962"] == (
        ("luxor", "tower"),
        ("american", "festival", "worldwide"),
        ("continental", "imperial"),
    )


def test_shares_on_board_are_sold_and_others_worthless() -> None:
    state = position(
        {"tower": "1A-11A"},
        cash=[0, 100, 200],
        shares={"tower": [3, 2, 0], "luxor": [0, 0, 20]},
        decision="buy 0",
    )
    assert worth(state) == [9000 + 2700, 100 + 4500 + 1800, 200]
    events = play(state, "buy nothing and end")
    assert state.cash == [11_700, 6400, 200]
    assert records(events, "soldatend") == [
        {"seat": 0, "chain": "tower", "shares": 3, "dollars": 2700},
        {"seat": 1, "chain": "tower", "shares": 2, "dollars": 1800},
    ]
    assert worth(state) == state.cash


def test_holdings_stay_visible_after_sale() -> None:
    state = position({"tower": "1A-11A"}, shares={"tower": [3, 2, 0]}, decision="buy 0")
    play(state, "buy nothing and end")
    assert held(state, "tower") == [3, 2, 0]


@pytest.mark.parametrize(
    ("cash", "ranks"),
    [
        ([400, 300, 200, 100], [1, 2, 3, 4]),
        ([100, 200, 300, 400], [4, 3, 2, 1]),
        ([400, 300, 300, 100], [1, 2, 2, 4]),
        ([400, 400, 300, 300], [1, 1, 3, 3]),
        ([400, 400, 400, 100], [1, 1, 1, 4]),
        ([7, 7, 7, 7], [1, 1, 1, 1]),
        ([0, 5], [2, 1]),
    ],
)
def test_most_money_wins_and_ties_share_rank(cash: list[int], ranks: list[int]) -> None:
    seats = len(cash)
    state = position({"tower": "1A-11A"}, hands=[""] * seats, cash=cash, decision="buy 0")
    play(state, "buy nothing and end")
    table = standings(state)
    assert [rank for rank, _, _ in table] == sorted(ranks)
    assert {seat: rank for rank, seat, _ in table} == dict(enumerate(ranks))
    assert {seat: dollars for _, seat, dollars in table} == dict(enumerate(cash))
    assert [dollars for _, _, dollars in table] == sorted(cash, reverse=True)


def test_rounding_applies_at_end() -> None:
    def ended(rules: str) -> list[int]:
        shares = {"american": [2, 1, 1, 1]}
        state = position(
            {"american": "1A-11A"}, rules=rules, hands=[""] * 4, cash=[0] * 4, shares=shares, decision="buy 0"
        )
        play(state, "buy nothing and end")
        return state.cash

    # $800 a share: majority $8,000; a third of $4,000 each for the others.
    assert ended("avalon-hill") == [9600, 2200, 2200, 2200]
    assert ended("avalon-hill rounding=nearest1") == [9600, 2133, 2133, 2133]
