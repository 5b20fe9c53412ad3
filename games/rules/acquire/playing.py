"""Apply moves to a state."""

from collections.abc import Callable
from typing import Any, Final

from . import merging, placing, turning
from .events import Event
from .moves import Buy, Dispose, Found, Move, Next, Pass, Place, Redraw, Survivor
from .state import State

_ANSWERS: Final[dict[type[Move], Callable[[State, Any], None]]] = {
    Place: placing.place,
    Found: placing.found,
    Survivor: merging.survivor,
    Next: merging.next_defunct,
    Dispose: merging.dispose,
    Buy: turning.buy,
    Redraw: turning.redraw,
    Pass: turning.pass_tile,
}


def apply(state: State, move: Move) -> None:
    """Change the state by the move.

    The move is not checked: the caller must pass one of `legal_moves(state)`.
    """
    _ANSWERS[type(move)](state, move)


def play(state: State, move: Move) -> list[Event]:
    """Change the state as `apply` does, and return the events in order."""
    events: list[Event] = []
    state.events = events
    try:
        apply(state, move)
    finally:
        state.events = None
    return events
