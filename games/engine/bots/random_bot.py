"""Bot that plays at random, for every rule system."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from games.engine.bots.thinking_time import OutOfTime, no_time_limit

Move = TypeVar("Move")


def choose(seen: Any, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit) -> Move:
    """Choose any legal move."""
    return rng.choice(legal)
