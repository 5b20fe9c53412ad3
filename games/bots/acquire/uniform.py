"""Any legal move, each as likely as the other."""

from collections.abc import Sequence
from random import Random

from games.rules.acquire import Move, Observation

from ..limits import OutOfTime, never


def choose(seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = never) -> Move:
    """One of the legal moves."""
    return rng.choice(legal)
