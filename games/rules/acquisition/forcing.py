"""The answers that leave nothing to decide."""

from typing import Final

from .moves import Move
from .state import State

FORCES: Final = False


def forced(state: State) -> Move | None:
    """Always None: the last square is taken without asking, and whatever is asked has two answers."""
    return None
