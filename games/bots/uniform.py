"""Any legal move of any game, each as likely as the other."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from .limits import OutOfTime, never

Move = TypeVar("Move")


def choose(seen: Any, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = never) -> Move:
    """One of the legal moves."""
    return rng.choice(legal)
