"""Lessons and their steps, without words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

# The reader always has this seat.
READER: Final = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A legal answer to a step: the states before and after it, the move and its events."""

    before: Any
    move: Any
    after: Any
    events: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A decision on a prepared position.

    The position is a text, from which `moves` are played. `is_right` tells whether an answer reaches the
    goal, and `example` is an answer that does. `then` are the moves after it that complete what it began,
    such as a merger.
    """

    name: str
    text: str
    is_right: Callable[[Attempt], bool]
    example: str
    moves: tuple[str, ...] = ()
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps to solve one after the other."""

    name: str
    steps: tuple[Step, ...]
