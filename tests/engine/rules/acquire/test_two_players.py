"""The bank as third shareholder of two players."""

from collections import Counter
from hashlib import sha256

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import play, position, records

MERGER = {"tower": "1A-3A", "american": "5A 6A"}


def merging(**fields: object) -> State:
    return position(MERGER, hands=["4A 12I", "12H"], cash=[0, 0], **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shares", "tile", "cash"),
    [
        ([6, 2], "1I", [3000, 1500]),  # the bank is third
        ([6, 2], "2I", [3000, 800]),  # ties for second: half of $1,500, rounded up
        ([6, 2], "3I", [3000, 0]),  # takes the minority
        ([6, 2], "6I", [2300, 0]),  # ties for most
        ([6, 2], "12I", [1500, 0]),  # takes the majority
        ([2, 2], "1I", [2300, 2300]),
        ([2, 2], "2I", [1500, 1500]),  # all three tie
        ([2, 2], "3I", [800, 800]),
        ([5, 0], "1I", [3000, 0]),  # so nobody is the only holder
        ([5, 0], "5I", [2300, 0]),
        ([0, 1], "9G", [0, 1500]),
    ],
)
def test_bank_holds_number_of_column(shares: list[int], tile: str, cash: list[int]) -> None:
    state = position(MERGER, hands=["4A", "12H"], cash=[0, 0], shares={"american": shares}, bank_tiles=tile)
    events = play(state, "place 4A")
    assert records(events, "banktile") == [{"chain": "american", "square": tile, "shares": int(tile[:-1])}]
    assert state.cash == cash


def test_bonus_of_bank_is_paid_to_nobody() -> None:
    state = merging(shares={"american": [1, 1]}, bank_tiles="12A")
    events = play(state, "place 4A")
    assert [record["seat"] for record in records(events, "bonuspaid")] == [0, 1]
    assert sum(state.cash) == 1600


def test_chain_without_holders_needs_no_bank_tile() -> None:
    state = merging(shares={"tower": [1, 1]})
    assert records(play(state, "place 4A"), "banktile") == []
    assert state.turned == 0


def test_each_paid_chain_has_its_bank_tile() -> None:
    state = position(
        {"tower": "1A-11A", "american": "1C-11C", "luxor": "1E-11E"},
        hands=["", ""],
        shares={"tower": [1, 1], "luxor": [2, 0]},
        decision="buy 0",
        bank_tiles="3I 1I",
    )
    events = play(state, "buy nothing and end")
    assert records(events, "banktile") == [
        {"chain": "luxor", "square": "3I", "shares": 3},
        {"chain": "tower", "square": "1I", "shares": 1},
    ]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_bank_holds_nothing_with_more_players(seats: int) -> None:
    state = position(MERGER, hands=["4A", *[""] * (seats - 1)], shares={"american": [1] + [0] * (seats - 1)})
    assert records(play(state, "place 4A"), "banktile") == []


@pytest.mark.parametrize("preset", acquire_rule_system.PRESETS)
def test_bank_takes_part_in_every_preset(preset: str) -> None:
    state = merging(rules=preset, shares={"american": [1, 0]})
    assert len(records(play(state, "place 4A"), "banktile")) == 1


def test_bank_tile_is_put_back_and_ignores_order_of_bag() -> None:
    bags = ["5I 1I 9I 7I 3I", "9I 7I 5I 3I 1I"]
    seen = set()
    for bag in bags:
        state = merging(shares={"american": [1, 0]}, bag=bag)
        before = state.bag[:]
        seen.add(records(play(state, "place 4A"), "banktile")[0]["square"])
        assert state.bag == before
    assert len(seen) == 1
    assert seen <= set(bags[0].split())


def turned_up(bag: str, count: int) -> Counter[object]:
    squares: Counter[object] = Counter()
    for number in range(count):
        seed = sha256(b"%d" % number).hexdigest()
        state = merging(shares={"american": [1, 0]}, bag=bag, seed=seed)
        squares[records(play(state, "place 4A"), "banktile")[0]["square"]] += 1
    return squares


def test_bank_tile_is_uniform_over_bag() -> None:
    squares = turned_up("5I 1I 9I 7I 3I", 500)
    assert set(squares) == {"5I", "1I", "9I", "7I", "3I"}
    assert min(squares.values()) > 60


def test_bank_tile_is_any_square_when_bag_is_empty() -> None:
    squares = turned_up("", 1500)
    assert len(squares) == 108
    assert {"4A", "1A", "12H"} <= set(squares)
    assert max(squares.values()) < 40


def test_each_bank_tile_is_drawn_anew() -> None:
    """The same chain may be paid for again later in a game."""
    squares = set()
    for turned in range(40):
        state = merging(shares={"american": [1, 0]}, turned=turned)
        squares.add(records(play(state, "place 4A"), "banktile")[0]["square"])
    assert len(squares) > 20


def test_bank_takes_place_among_four_holders() -> None:
    dollars = {bonus.seat: bonus.dollars for bonus in bonuses(Rules(payout="four"), [3, 1, 2], 300)}
    assert dollars == {0: 3000, 2: 2300, 1: 1500}


def test_worth_ignores_bank() -> None:
    state = position({"tower": "1A-3A"}, hands=["", ""], cash=[0, 0], shares={"tower": [2, 1]})
    assert acquire_rule_system.worth(state) == [5000 + 1000, 2500 + 500]
