"""Apply moves to a state."""

from collections.abc import Callable
from typing import Any, Final

from games.engine.rules.acquisition import parks, tile_placement
from games.engine.rules.acquisition.events import Event
from games.engine.rules.acquisition.moves import BuyOut, Decline, Move, Park, Place
from games.engine.rules.acquisition.state import State

_ANSWERS: Final[dict[type[Move], Callable[[State, Any], None]]] = {
    Park: parks.park,
    Place: tile_placement.place,
    BuyOut: tile_placement.buy_out,
    Decline: tile_placement.decline,
}


def apply(state: State, move: Move) -> None:
    """Change the state by the move.

    The move is not checked: the caller must pass one of `legal_moves(state)`.
    """
    _ANSWERS[type(move)](state, move)
    # Nobody may pass, so a tile with only one possible square is placed without asking.
    while state.decision.kind == "place" and len(state.open) == 1:
        tile_placement.place(state, state.open[0])  # type: ignore[arg-type]


def play(state: State, move: Move) -> list[Event]:
    """Change the state as `apply` does, and return the events in order."""
    events: list[Event] = []
    state.events = events
    try:
        apply(state, move)
    finally:
        state.events = None
    return events
