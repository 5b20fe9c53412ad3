"""What a position is worth to a seat."""

from functools import lru_cache
from typing import Final

from games.rules.acquire import Rules, State, bonuses

# Of the bonuses that would be paid now, this part counts as if it were money: most of them
# will be paid some day, but to whom may change.
BONUS_WEIGHT: Final = 0.3


def advantage(state: State, seat: int) -> float:
    """How far the seat is ahead, in dollars: half of it of the average of the others, half of the best."""
    worth = _worth(state)
    others = [dollars for other, dollars in enumerate(worth) if other != seat]
    return worth[seat] - 0.5 * sum(others) / len(others) - 0.5 * max(others)


def _worth(state: State) -> list[float]:
    """By seat: cash, shares of chains on the board at their price, and a part of the bonuses."""
    worth: list[float] = [*state.cash]
    for chain, size in enumerate(state.size):
        if size:
            price = state.rules.prices[chain][size]
            held = tuple(state.holdings[chain])
            for seat, shares in enumerate(held):
                worth[seat] += shares * price
            for seat, dollars in _bonuses(state.rules, held, price):
                worth[seat] += BONUS_WEIGHT * dollars
    return worth


@lru_cache(maxsize=1 << 14)
def _bonuses(rules: Rules, held: tuple[int, ...], price: int) -> list[tuple[int, int]]:
    """Seat and dollars of each bonus; the moves of one decision ask for the same few again and again."""
    return [(bonus.seat, bonus.dollars) for bonus in bonuses(rules, held, price)]
