"""Bot that looks one move ahead."""

from collections.abc import Sequence
from random import Random

from games.rules.acquisition import Move, Observation, determinize

from ..limits import OutOfTime, never
from .ahead import chances


def choose(seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = never) -> Move:
    """The move after which the seat's chance is best, chosen at random among equals.

    Parks belong to nobody and are placed at random.
    """
    if seen.parks or len(legal) == 1:
        return rng.choice(legal)
    values = chances(determinize(seen, rng), legal)
    most = max(values)
    return rng.choice([move for move, value in zip(legal, values, strict=True) if value == most])
