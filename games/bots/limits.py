"""How long a computer opponent may think."""

import time
from collections.abc import Callable
from typing import TypeAlias

OutOfTime: TypeAlias = Callable[[], bool]


def never() -> bool:
    """The time of somebody who may think as long as the search takes."""
    return False


class Cap:
    """True once so many seconds have passed since it was made; `struck` says whether anybody was told so."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self.struck = False

    def __call__(self) -> bool:
        self.struck = self.struck or self._clock() >= self._end
        return self.struck
