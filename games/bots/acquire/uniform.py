"""Any legal move, each as likely as the other."""

from collections.abc import Sequence
from random import Random

from games.rules.acquire import Move, Observation


def choose(seen: Observation, legal: Sequence[Move], rng: Random) -> Move:
    """One of the legal moves."""
    return rng.choice(legal)
