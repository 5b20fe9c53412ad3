"""The deal: only the seats are random in this game."""

from games.engine.rules.acquisition.parks import ask_for_park
from games.engine.rules.acquisition.rule_options import Rules, check_seats
from games.engine.rules.acquisition.state import State, empty_state
from games.engine.rules.seeded_random import SEED_BYTES, shuffled


def seating(rules: Rules, players: int, seed: bytes) -> list[int]:
    """The seating order: for each seat, the number of its player in the order of joining. Seat 0 starts."""
    return shuffled(seed, "seats", range(players))


def deal(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the first decision, with an empty board.

    Raises ValueError unless `seats` is 2 to 4 and `seed` has 32 bytes.
    """
    check_seats(seats)
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    state = empty_state(rules, seats, seed)
    ask_for_park(state)
    return state
