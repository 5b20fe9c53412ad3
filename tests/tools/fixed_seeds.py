"""Reproducible seeds for the games of a test."""

import hashlib
import itertools
from collections.abc import Callable


def drawn(*words: str) -> Callable[[], bytes]:
    """Return a function that draws one seed after the other; other words give other seeds."""
    numbers = itertools.count(1)
    return lambda: hashlib.sha256(repr((*words, next(numbers))).encode()).digest()
