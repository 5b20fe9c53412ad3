"""Forced moves; this game has none."""

from typing import Final

from games.engine.rules.acquisition.moves import Move
from games.engine.rules.acquisition.state import State

HAS_FORCED_MOVES: Final = False


def forced_move(state: State) -> Move | None:
    """Return None: the last square is taken without asking, and every other decision has two answers."""
    return None
