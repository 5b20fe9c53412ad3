"""The deal: seats, starting player and hands. The algorithm is documented in docs/deal.md."""

from ..chance import SEED_BYTES, shuffled
from .board import LONE, SQUARES
from .rules import Rules
from .state import HAND, SEATS, State
from .turning import begin_turn


def seating(rules: Rules, players: int, seed: bytes) -> list[int]:
    """The seating order: for each seat, the number of its player in the order of joining."""
    if rules.seating == "joining":
        return list(range(players))
    return shuffled(seed, "seats", range(players))


def deal(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the first decision.

    Raises ValueError unless `seats` is 2 to 6 and `seed` has 32 bytes.
    """
    if seats not in SEATS:
        raise ValueError(f"Acquire is for {SEATS.start} to {SEATS.stop - 1} players, not {seats}.")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    state = State(rules, seats, seed)
    state.bag = shuffled(seed, "bag", SQUARES)[::-1]
    if rules.starting_tiles:
        tiles = [state.bag.pop() for _ in range(seats)]
        for tile in tiles:
            state.board[tile] = LONE
        # Squares are numbered along the rows, so the lowest is nearest to row A, then to column 1.
        state.first = tiles.index(min(tiles))
    for seat in range(state.first, state.first + seats):
        state.hands[seat % seats] = [state.bag.pop() for _ in range(HAND)]
    state.turn = state.first
    begin_turn(state)
    return state
