"""A judge for tests that knows what it wants."""

from collections.abc import Sequence
from operator import mul

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.rules.acquire.state import State

Judged = tuple[float, float, float]


class ShareLover:
    """A judge that counts points for each share of the seat, by chain, and for a pair of chains.

    `judged` is the number of positions that it was asked about.
    """

    def __init__(self, points: Sequence[float], pair: tuple[int, int] = (0, 0), bonus: float = 0) -> None:
        self.points = points
        self.pair, self.bonus = pair, bonus
        self.judged = 0

    def judge(self, states: Sequence[State], seat: int, payments: Payments) -> list[Judged]:
        return self.judge_each(states, [seat] * len(states), payments)

    def judge_each(self, states: Sequence[State], seats: Sequence[int], payments: Payments) -> list[Judged]:
        self.judged += len(states)
        return [
            (self.of([held[seat] for held in state.holdings]), 0.0, 0.0)
            for state, seat in zip(states, seats, strict=True)
        ]

    def of(self, shares: Sequence[int]) -> float:
        return sum(map(mul, self.points, shares)) + self.bonus * all(shares[chain] for chain in self.pair)
