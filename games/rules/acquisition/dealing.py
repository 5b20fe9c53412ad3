"""The deal: who sits where. Nothing else in the game is chance."""

from ..chance import SEED_BYTES, shuffled
from .parks import ask_for_park
from .rules import Rules, check_seats
from .state import State


def seating(rules: Rules, players: int, seed: bytes) -> list[int]:
    """Who sits where: the number of each seat's player in the order of joining. Seat 0 starts."""
    return shuffled(seed, "seats", range(players))


def deal(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the first decision, an empty board.

    `seats` is 2 to 4, `seed` 32 secret bytes; ValueError for anything else.
    """
    check_seats(seats)
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    state = State(rules, seats, seed)
    ask_for_park(state)
    return state
