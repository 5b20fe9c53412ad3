"""What a searching computer opponent thinks of a move."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """One move as it came out of trying it: `chance` is the expected share of the win, from 0 to 1,
    `money` the dollars by which the seat is expected to be ahead of the best other one, `tries`
    how often the move was tried.
    """

    move: Any
    chance: float
    money: float
    tries: int
