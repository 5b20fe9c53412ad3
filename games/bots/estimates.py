"""What a searching computer opponent thinks of a move."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """One move as it came out of trying it: `chance` is the expected share of the win, from 0 to 1,
    `lead` by how much of what the game is won by (dollars, large buildings) the seat is expected to be
    ahead of the best other one, `tries` how often the move was tried.
    """

    move: Any
    chance: float
    lead: float
    tries: int


@dataclass(frozen=True, slots=True)
class Rating:
    """The move that was played, beside the best that was found: the same one where none was found better."""

    best: Estimate
    played: Estimate
