"""Cache of the bonuses of each chain, which bots ask for again and again."""

from functools import lru_cache
from typing import Final

from games.engine.rules.acquire.board import COLUMNS
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State

# With two players the bank holds the number of a column as shares, each equally likely.
BANK: Final = range(1, COLUMNS + 1)
# A long search needs about two thousand bonuses, and features of two to six thousand chains; a worker plays
# several kinds of games.
MAX_CACHED: Final = 1 << 12


class Payments:
    """Bonuses of games with these rules and this number of seats."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules = rules
        self._banks = [(shares,) for shares in BANK] if seats == 2 else [()]
        self._seats = seats
        self._kept: dict[tuple[int, tuple[int, ...]], tuple[float, ...]] = {}

    def of(self, state: State, chain: int) -> tuple[float, ...]:
        """Dollars by seat if the chain were paid now; with two players, the expected dollars."""
        return self.to_holders(tuple(state.holdings[chain]), self._rules.prices[chain][state.size[chain]])

    def to_holders(self, held: tuple[int, ...], price: int) -> tuple[float, ...]:
        """The same for a chain of this price in dollars, by the shares of each seat."""
        paid = self._kept.get((price, held))
        if paid is None:
            if len(self._kept) >= MAX_CACHED:
                self._kept.clear()
            paid = self._kept[price, held] = self._paid(held, price)
        return paid

    def _paid(self, held: tuple[int, ...], price: int) -> tuple[float, ...]:
        paid = [0.0] * self._seats
        for bank in self._banks if any(held) else ():
            for bonus in bonuses(self._rules, (*held, *bank), price):
                if bonus.seat < self._seats:
                    paid[bonus.seat] += bonus.dollars / len(self._banks)
        return tuple(paid)


@lru_cache(maxsize=32)
def payments_for(rules: Rules, seats: int) -> Payments:
    """The cache shared by all games of one kind in this process."""
    return Payments(rules, seats)
