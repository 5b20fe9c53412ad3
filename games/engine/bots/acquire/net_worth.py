"""Net worth of seats and teams, in dollars."""

from collections.abc import Sequence
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.teams import teams

# Part of the current bonuses that counts as money: most of them will be paid some day, but
# the holders may change.
BONUS_WEIGHT: Final = 0.3


def advantage(state: State, seat: int, payments: Payments) -> float:
    """The lead of the seat's side: the mean of its lead over the average and over the best of the others."""
    own, others = sides(state, worth(state, payments), seat)
    return own - 0.5 * sum(others) / len(others) - 0.5 * max(others)


def lead_of(state: State, dollars: Sequence[float], seat: int) -> float:
    """The lead of the seat's side over the best other one, from dollars by seat."""
    own, others = sides(state, dollars, seat)
    return own - max(others)


def sides(state: State, dollars: Sequence[float], seat: int) -> tuple[float, list[float]]:
    """The sum of the seat's side and those of the others, from dollars by seat.

    A side is a team, or a seat where everybody plays alone.
    """
    if state.rules.teams == "none":
        others = [*dollars]
        own = others.pop(seat)
        return own, others
    sums = team_sums(state, dollars)
    own = sums.pop(seat % len(sums))
    return own, sums


def team_sums(state: State, values: Sequence[float]) -> list[float]:
    """The sum of each team, from values by seat."""
    return [sum([values[seat] for seat in team], 0.0) for team in teams(state.rules, state.seats)]


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
