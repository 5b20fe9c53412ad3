"""Weights of features that predict the winner, learned from games of bots.

The model is a multinomial logistic regression: the features of a seat times these weights are its log
odds to win. It was fitted to 125,000 positions of 3,600 games of quick bots with two to four seats.
Weights change as the board fills, measured by the number of open squares: each has a value for every
knot and is interpolated linearly between knots. The weights of contested groups, which those bots never
left to others, and of an early, nearly empty board were set by hand.
"""

from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Final

from games.engine.rules.acquisition.board import SQUARES


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights at one moment of the game.

    large, medium, small    for each building of that size
    pair1, pair2, pair3     extra for a pair of one owner, by the squares that complete it (3: or more)
    linked                  extra for a single tile one square away from another of its owner
    single1, single2, single3    else, by the squares beside it that make it a pair (3: or more)
    stake                   for a part in a group that anybody may complete
    pick                    for being the next who may do so
    wait                    the turns until the seat's next one, as a fraction of a round
    """

    large: float
    medium: float
    small: float
    pair1: float
    pair2: float
    pair3: float
    linked: float
    single1: float
    single2: float
    single3: float
    stake: float
    pick: float
    wait: float


# The number of open squares, and the weights at that point.
_AT_THE_KNOTS: Final = (
    (0, Weights(4.74, 1.36, 0.10, 2.85, 2.90, 2.90, 1.89, 0.93, 1.90, 1.90, 0.24, 2.37, -0.54)),
    (25, Weights(3.71, 1.39, 0.39, 1.02, 1.17, 1.33, 0.69, 0.40, 1.07, 1.12, 0.19, 1.86, -1.14)),
    (60, Weights(2.86, 1.04, 0.23, 0.73, 0.85, 0.99, 0.48, 0.32, 0.73, 0.81, 0.14, 1.43, -0.85)),
    (110, Weights(2.43, 0.88, 0.20, 0.62, 0.72, 0.84, 0.41, 0.27, 0.62, 0.69, 0.12, 1.22, -0.85)),
)


def _at(opened: int) -> Weights:
    for (start, low), (end, high) in pairwise(_AT_THE_KNOTS):
        if opened <= end:
            part = (opened - start) / (end - start)
            pairs = zip(astuple(low), astuple(high), strict=True)
            return Weights(*(one + (other - one) * part for one, other in pairs))
    return _AT_THE_KNOTS[-1][1]


# By the number of open squares.
WEIGHTS: Final = tuple(_at(opened) for opened in range(len(SQUARES) + 1))
