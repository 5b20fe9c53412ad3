"""Apply moves to a state."""

from collections.abc import Callable
from typing import Any, Final

from games.engine.rules.acquire import mergers, tile_placement, turns
from games.engine.rules.acquire.events import Event
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Next, Pass, Place, Redraw, Survivor
from games.engine.rules.acquire.state import State

_ANSWERS: Final[dict[type[Move], Callable[[State, Any], None]]] = {
    Place: tile_placement.place,
    Found: tile_placement.found_chain,
    Survivor: mergers.survivor,
    Next: mergers.next_defunct,
    Dispose: mergers.dispose,
    Buy: turns.buy,
    Redraw: turns.redraw,
    Pass: turns.pass_tile,
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
