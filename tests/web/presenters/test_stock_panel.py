"""The panel of stocks: every relevant number, and nothing hidden."""

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.decision_forms import decision
from games.web.presenters.acquire.stock_panel import Stock, Stocks, stocks
from tests.engine.rules.acquire.acquire_positions import position
from tests.web.presenters.presenter_cases import Played, readers

CHAINS = {"tower": "1A-11A", "american": "1C-4C", "luxor": "1E-2E"}
SHARES = {"tower": [10, 8, 6], "american": [4, 4, 0], "luxor": [0, 0, 3], "festival": [0, 0, 2]}


def panel(state: State, seat: int | None = 0) -> Stocks:
    return stocks(acquire.observe(state, seat), readers(state.seats, seat))


def row(state: State, name: str, seat: int | None = 0) -> Stock:
    return next(row for row in panel(state, seat).rows if row.chain.name == name)


def marks(stock: Stock) -> list[str]:
    return [holding.mark for holding in stock.holdings]


def test_chains_on_the_board_come_first_by_price() -> None:
    names = [row.chain.label for row in panel(position(CHAINS)).rows]
    assert names == ["Tower", "American", "Sackson", "Continental", "Festival", "Imperial", "Worldwide"]


def test_row_has_size_price_next_price_and_bank() -> None:
    tower = row(position(CHAINS, shares=SHARES), "tower")
    assert (tower.size, tower.price, tower.next, tower.bank, tower.safe) == (
        11,
        "$900",
        "$1,000 at 21",
        1,
        True,
    )
    assert tower.majority == "$9,000"
    american = row(position(CHAINS, shares=SHARES), "american")
    assert (american.price, american.next, american.safe) == ("$500", "$600 at 5", False)


def test_top_price_has_no_next() -> None:
    assert row(position({"tower": "1A-12A 1B-12B 1C-12C 1D-5D"}), "tower").next == ""


def test_chain_off_the_board_has_no_price_and_no_marks() -> None:
    festival = row(position(CHAINS, shares=SHARES), "festival")
    assert (festival.on_board, festival.price, festival.next) == (False, "", "")
    assert marks(festival) == ["", "", ""]
    assert [holding.shares for holding in festival.holdings] == ["–", "–", "2"]


def test_majority_and_minority_are_marked_as_they_would_be_paid() -> None:
    state = position(CHAINS, shares=SHARES)
    assert marks(row(state, "tower")) == ["M", "m", ""]
    assert marks(row(state, "american")) == ["M", "M", ""]
    assert marks(row(state, "luxor")) == ["", "", "M"]


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ([0, 0, 0], "nobody holds any"),
        ([0, 4, 0], "none yet · marta 4"),
        ([0, 4, 4], "none yet · marta and Rook 4"),
        ([2, 0, 0], "1st with 2"),
        ([5, 1, 4], "1st with 5 · Rook 4"),
        ([4, 3, 3], "1st with 4 · marta and Rook 3"),
        ([3, 4, 1], "2nd with 3 · marta 4"),
        ([4, 7, 8], "3rd with 4 · Rook 8, marta 7"),
        ([7, 9, 9], "3rd with 7 · marta and Rook 9"),
        ([1, 1, 0], "tied 1st with marta, 1 each"),
        ([1, 1, 1], "tied 1st with marta and Rook, 1 each"),
        ([1, 3, 1], "tied 2nd with Rook, 1 each · marta 3"),
    ],
)
def test_standing_says_place_shares_and_rivals(held: list[int], words: str) -> None:
    assert row(position(CHAINS, shares={"tower": held}), "tower").standing == words


def test_standing_of_others_names_the_largest_holders_to_watchers() -> None:
    assert row(position(CHAINS, shares={"tower": [5, 1, 4]}), "tower", seat=None).standing == "sam 5, Rook 4"


def test_purchase_tells_the_standing_after_it() -> None:
    state = position(CHAINS, shares={"american": [0, 4, 2]}, decision="buy 0")
    form = decision(acquire.observe(state, 0), readers(3, 0))
    assert form is not None
    assert form.numbers["american"].standings == (
        "none yet · marta 4, Rook 2",
        "3rd with 1 after this · marta 4, Rook 2",
        "tied 2nd with Rook after this, 2 each · marta 4",
        "2nd with 3 after this · marta 4",
    )


def test_four_holders_are_marked_where_four_are_paid() -> None:
    hands = ("", "", "", "", "")
    state = position(CHAINS, hands=hands, rules="avalon-hill payout=four", shares={"tower": [9, 7, 4, 2, 1]})
    assert marks(row(state, "tower")) == ["M", "m", "3", "4", ""]


def test_cash_and_worth_are_shown_for_all() -> None:
    seats = panel(position(CHAINS, shares=SHARES, cash=[0, 1700, 6000])).seats
    assert [seat.cash for seat in seats] == ["$0", "$1,700", "$6,000"]
    assert seats[2].worth == "$15,000"  # cash, 6 Tower at $900 and 3 Sackson at $200 with both bonuses
    assert [(seat.name, seat.me, seat.computer) for seat in seats] == [
        ("you", True, False),
        ("marta", False, False),
        ("Rook", False, True),
    ]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_hidden_holdings_show_nothing_of_the_others_and_nothing_derived(seat: int | None) -> None:
    shown = panel(position(CHAINS, shares=SHARES, rules="avalon-hill holdings=hidden"), seat)
    assert shown.hidden
    assert all(not seat.worth for seat in shown.seats)
    assert all(seat.me or not seat.cash for seat in shown.seats)
    for stock in shown.rows:
        assert set(marks(stock)) == {""}
        assert stock.standing in ("", "you hold 10", "you hold 4", "you hold 8")
        assert all(holding.me or not holding.shares for holding in stock.holdings)
    assert shown.rows[0].bank == 1


MERGEABLE = {"tower": "1A-3A", "american": "5A-6A", "festival": "1C-2C"}
SWAPPED = {0: 0, 1: 2, 2: 1}


@pytest.mark.parametrize("decision", ["place 0", "buy 0"])
def test_page_does_not_depend_on_hidden_holdings_of_others(decision: str) -> None:
    """Both players have the same name, so that only the hidden numbers could make a difference."""
    cash, shares = [900, 1700, 4200], {"tower": [2, 7, 1], "american": [3, 0, 4], "festival": [1, 2, 5]}
    pages = []
    for order in ({0: 0, 1: 1, 2: 2}, SWAPPED):
        state = position(
            MERGEABLE,
            rules="avalon-hill holdings=hidden",
            hands=("4A 12I", "11I", "10I"),
            decision=decision,
            cash=[cash[order[seat]] for seat in range(3)],
            shares={name: [held[order[seat]] for seat in range(3)] for name, held in shares.items()},
        )
        pages.append(Played(state).page(0))
    assert pages[0] == pages[1]
    assert "$900" in pages[0]
