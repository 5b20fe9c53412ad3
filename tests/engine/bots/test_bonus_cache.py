"""Bonus cache: the same bonuses as by the rules, kept within limits."""

from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import bonus_cache
from games.engine.bots.acquire.bonus_cache import Payments, payments_for
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.moves import parse_move
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import RULES, any_time
from tests.engine.rules.acquire.acquire_positions import chain, position

PAYOUTS = pytest.mark.parametrize("rules", ["avalon-hill", "course", "avalon-hill payout=four"])
TOWER = chain("tower")


def by_the_rules(state: State, which: int) -> tuple[float, ...]:
    """Dollars by seat; with two players the mean over all numbers of shares that the bank may hold."""
    held = state.holdings[which]
    price = state.rules.prices[which][state.size[which]]
    banks = [(column,) for column in range(1, 13)] if state.seats == 2 and any(held) else [()]
    paid = [0.0] * state.seats
    for bank in banks:
        for bonus in bonuses(state.rules, (*held, *bank), price):
            if bonus.seat < state.seats:
                paid[bonus.seat] += bonus.dollars
    return tuple(dollars / len(banks) for dollars in paid)


@pytest.mark.parametrize("seats", acquire.SEATS)
def test_cached_bonuses_match_rules(seats: int) -> None:
    rng = Random(seats)
    paid_at_all = 0
    for _ in range(60):
        state = any_time(rng, seats)
        payments = payments_for(state.rules, seats)
        for which in CHAINS:
            if state.size[which]:
                # The second call reads the cache.
                for _ in range(2):
                    assert payments.of(state, which) == pytest.approx(by_the_rules(state, which))
                paid_at_all += any(state.holdings[which])
    assert paid_at_all > 20


def ending(rules: str, shares: list[int], **fields: Any) -> State:
    return position(
        {"tower": "1A-11A"},
        rules=rules,
        hands=[""] * len(shares),
        shares={"tower": shares},
        decision="buy 0",
        **fields,
    )


def paid_at_the_end(state: State) -> tuple[int, ...]:
    state = state.copy()
    before = [
        cash + shares * state.rules.prices[TOWER][11]
        for cash, shares in zip(state.cash, state.holdings[TOWER], strict=True)
    ]
    apply(state, parse_move("buy nothing and end"))
    return tuple(cash - had for cash, had in zip(state.cash, before, strict=True))


@PAYOUTS
@pytest.mark.parametrize("shares", [[3, 2, 1, 1], [4, 4, 1, 0], [5, 0, 0, 0], [0, 0, 0, 0], [3, 2, 2, 2]])
def test_cached_bonuses_match_end_of_game(rules: str, shares: list[int]) -> None:
    state = ending(rules, shares)
    assert payments_for(state.rules, 4).of(state, TOWER) == paid_at_the_end(state)


@PAYOUTS
@pytest.mark.parametrize("shares", [[3, 2], [4, 4], [5, 0], [0, 0], [0, 12], [13, 1]])
def test_bonuses_with_two_players_are_mean_over_bank_tiles(rules: str, shares: list[int]) -> None:
    games = [ending(rules, shares, bank_tiles=f"{column}I") for column in range(1, 13)]
    paid = [paid_at_the_end(state) for state in games]
    mean = [sum(dollars) / len(games) for dollars in zip(*paid, strict=True)]
    assert payments_for(games[0].rules, 2).of(games[0], TOWER) == pytest.approx(mean)


def test_bonuses_depend_on_price_of_chain() -> None:
    chains = {"tower": "1A-11A", "american": "1C-3C", "luxor": "1E 2E"}
    state = position(chains, shares={name: [3, 1, 0] for name in chains})
    payments = payments_for(state.rules, 3)
    paid = [payments.of(state, chain(name)) for name in chains]
    assert paid == [(9000, 4500, 0), (4000, 2000, 0), (2000, 1000, 0)]


def test_cache_is_shared_by_games_of_one_kind() -> None:
    assert payments_for(Rules(), 4) is payments_for(Rules(), 4)
    kinds = {payments_for(rules, seats) for rules in RULES.values() for seats in acquire.SEATS}
    assert len(kinds) == len({*RULES.values()}) * len(acquire.SEATS)


@pytest.mark.plain
def test_cache_is_limited_and_stays_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bonus_cache, "MAX_CACHED", 5)
    payments = Payments(Rules(), 3)
    for shares in range(1, 20):
        state = ending("avalon-hill", [shares, 1, 0])
        assert payments.of(state, TOWER) == by_the_rules(state, TOWER)
        assert len(payments._kept) <= 5
