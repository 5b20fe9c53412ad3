"""Seeds that come again, for the games of a test."""

import hashlib
import itertools
from collections.abc import Callable


def drawn(*words: str) -> Callable[[], bytes]:
    """What draws a seed for one game after the other: other words, other seeds."""
    numbers = itertools.count(1)
    return lambda: hashlib.sha256(repr((*words, next(numbers))).encode()).digest()
