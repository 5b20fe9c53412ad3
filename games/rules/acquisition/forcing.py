"""Forced moves; this game has none."""

from typing import Final

from .moves import Move
from .state import State

FORCES: Final = False


def forced(state: State) -> Move | None:
    """Return None: the last square is taken without asking, and every other decision has two answers."""
    return None
