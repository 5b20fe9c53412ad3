"""Net worth of a seat, in dollars."""

from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.state import State

# Part of the current bonuses that counts as money: most of them will be paid some day, but
# the holders may change.
BONUS_WEIGHT: Final = 0.3


def advantage(state: State, seat: int, payments: Payments) -> float:
    """The seat's lead: the mean of its lead over the average and over the best of the others."""
    others = worth(state, payments)
    own = others.pop(seat)
    return own - 0.5 * sum(others) / len(others) - 0.5 * max(others)


def worth(state: State, payments: Payments, bonuses: float = BONUS_WEIGHT) -> list[float]:
    """Net worth by seat: cash, shares of chains on the board at their price, and that part of the bonuses."""
    dollars: list[float] = [*state.cash]
    if state.ended:
        return dollars
    for chain in CHAINS:
        tiles = state.size[chain]
        if tiles:
            price = state.rules.prices[chain][tiles]
            paid = payments.of(state, chain)
            for seat, shares in enumerate(state.holdings[chain]):
                if shares:
                    dollars[seat] += shares * price + bonuses * paid[seat]
    return dollars
