"""A sequential test of strength: a match goes on only until it is clear whether a player is stronger.

It is the sequential probability ratio test of Abraham Wald (1945) on the share of the wins.
"""

from dataclasses import dataclass
from math import log


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Decides between two shares of the wins, from 0 to 1: that of equal strength and a `better` one.

    `error` is the chance of a wrong verdict, both ways.
    """

    equal: float
    better: float
    error: float = 0.05

    def verdict(self, wins: float, games: int) -> bool | None:
        """Return whether the player is stronger, None while that is not clear.

        `wins` are those of the first `games` games, with shares of tied ones.
        """
        bound = log((1 - self.error) / self.error)
        won, lost = log(self.better / self.equal), log((1 - self.better) / (1 - self.equal))
        ratio = wins * won + (games - wins) * lost
        if abs(ratio) < bound:
            return None
        return ratio > 0
