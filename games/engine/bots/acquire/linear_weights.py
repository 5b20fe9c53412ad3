"""Weights of features that predict the winner, learned from games of bots.

The model is a multinomial logistic regression: the features of a seat times these weights are its log
odds to win. It was fitted to 97,000 positions, each at the beginning of a turn, of 1,500 games of four
searching bots with the linear evaluation; it works for any number of seats. Weights change during the
game, measured by its largest chain: each has a value for every knot and is interpolated linearly
between knots.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from games.engine.rules.acquire.chains import END_SIZE

# Size of the largest chain, as a fraction of the size that ends the game.
KNOTS: Final = (0.0, 0.15, 0.35, 0.6, 0.85)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights at one moment of the game. Money is in thousands of dollars.

    cash, first_1000, first_3000    all cash, and in addition its part up to $1,000 and up to $3,000
    shelved                         for each share of a chain that is not on the board
    wait                            the turns until the seat's next one, as a fraction of a round

    For each chain on the board, in pairs: while it is not safe, and once it is.

    shares      for each share
    price       the price of the shares
    bonus       the bonus if it were paid now
    lead        lead or deficit in shares compared with the best other seat, times the price

    small_price, small_bonus    added to price and bonus for small chains
    """

    cash: float
    first_1000: float
    first_3000: float
    shelved: float
    wait: float
    shares: tuple[float, float]
    price: tuple[float, float]
    bonus: tuple[float, float]
    lead: tuple[float, float]
    small_price: float
    small_bonus: float


_AT_THE_KNOTS: Final = (
    Weights(0.463, 0.055, -0.194, -0.0062, -0.021,
            (0.1338, 0.0), (-0.230, 0.0), (-0.077, 0.0), (0.270, 0.0), -0.200, 0.034),
    Weights(0.340, 0.064, 0.279, 0.1790, -0.158,
            (0.1323, 0.0025), (-0.081, 0.337), (0.074, -0.081), (0.045, 0.095), 0.110, 0.0),
    Weights(0.213, 0.256, 0.220, 0.1547, -0.449,
            (0.0834, 0.0502), (0.254, 0.218), (0.076, 0.102), (0.031, 0.033), 0.064, 0.005),
    Weights(0.222, -0.472, 0.291, 0.0657, -0.890,
            (0.0294, -0.0019), (0.283, 0.309), (0.121, 0.157), (0.022, 0.048), 0.059, 0.031),
    Weights(0.496, -0.028, -0.006, 0.0365, -0.868,
            (0.0092, -0.0241), (0.576, 0.563), (0.246, 0.458), (0.156, 0.046), 0.198, -0.030),
)  # fmt: skip


def _between(low: Weights, high: Weights, part: float) -> Weights:
    def mixed(name: str) -> float | tuple[float, float]:
        one, other = getattr(low, name), getattr(high, name)
        if isinstance(one, tuple):
            return tuple(a + (b - a) * part for a, b in zip(one, other, strict=True))
        mean: float = one + (other - one) * part
        return mean

    return Weights(**{name: mixed(name) for name in Weights.__slots__})  # type: ignore[arg-type]


def _at(size: int) -> Weights:
    progress = size / END_SIZE
    knots = zip(pairwise(KNOTS), pairwise(_AT_THE_KNOTS), strict=True)
    for (start, end), (low, high) in knots:
        if progress < end:
            return _between(low, high, (progress - start) / (end - start))
    return _AT_THE_KNOTS[-1]


# By the size of the largest chain; constant beyond the last entry.
WEIGHTS: Final = tuple(_at(size) for size in range(END_SIZE + 1))
