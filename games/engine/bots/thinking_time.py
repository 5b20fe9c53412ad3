"""Time limits of bots."""

import time
from collections.abc import Callable
from typing import TypeAlias

OutOfTime: TypeAlias = Callable[[], bool]


def no_time_limit() -> bool:
    """Return False: a search without a time limit."""
    return False


class ThinkingTime:
    """Deadline that is true once its seconds have passed; `struck` tells whether a caller saw that."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self.struck = False

    def __call__(self) -> bool:
        self.struck = self.struck or self._clock() >= self._end
        return self.struck
