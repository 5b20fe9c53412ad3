"""Estimates and ratings of moves by searching bots."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of one move.

    `chance` is the expected share of the win, from 0 to 1, `lead` the expected lead over the best other
    seat in the score of the game (dollars, large buildings), and `tries` the number of tries.
    """

    move: Any
    chance: float
    lead: float
    tries: int


@dataclass(frozen=True, slots=True)
class Rating:
    """The move that was played and the best one found; the same one if none was better."""

    best: Estimate
    played: Estimate
