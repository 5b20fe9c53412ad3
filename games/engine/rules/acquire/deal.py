"""The deal: seats, starting player and hands. The algorithm is documented in docs/deal.md."""

from games.engine.rules.acquire.board import LONE_TILE, SQUARES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import HAND, SEATS, State, empty_state
from games.engine.rules.acquire.teams import seat_counts, seat_teams
from games.engine.rules.acquire.turns import ask_for_tile, begin_turn
from games.engine.rules.seeded_random import SEED_BYTES, shuffled


def seating(rules: Rules, players: int, seed: bytes) -> list[int]:
    """The seating order: for each seat, the number of its player in the order of joining."""
    if rules.seating == "joining":
        return list(range(players))
    if rules.teams != "none":
        return seat_teams(rules, players, seed)
    return shuffled(seed, "seats", range(players))


def deal(rules: Rules, seats: int, seed: bytes) -> State:
    """The state before the first decision.

    Raises ValueError unless the rules are for this number of `seats` and `seed` has 32 bytes.
    """
    if seats not in SEATS:
        raise ValueError(f"Acquire is for {SEATS.start} to {SEATS.stop - 1} players, not {seats}.")
    if seats not in (counts := seat_counts(rules)):
        raise ValueError(f"These teams are for {' or '.join(map(str, counts))} players, not {seats}.")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    state = empty_state(rules, seats, seed)
    state.bag = shuffled(seed, "bag", SQUARES)[::-1]
    if rules.starting_tiles:
        tiles = [state.bag.pop() for _ in range(seats)]
        for tile in tiles:
            state.board[tile] = LONE_TILE
        # Squares are numbered along the rows, so the lowest is nearest to row A, then to column 1.
        state.first = tiles.index(min(tiles))
    for seat in range(state.first, state.first + seats):
        state.hands[seat % seats] = [state.bag.pop() for _ in range(HAND)]
    state.turn = state.first
    begin_turn(state)
    return state


def redeal(state: State, seed: bytes) -> None:
    """Deal the tiles in all hands and in the bag anew; each hand keeps its size, all else stays.

    What is random from now on follows from this seed. Raises ValueError unless it has 32 bytes.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    hidden = sorted([*(tile for hand in state.hands for tile in hand), *state.bag])
    state.seed = seed
    state.bag = shuffled(seed, "bag", hidden)[::-1]
    for hand in state.hands:
        hand[:] = [state.bag.pop() for _ in hand]
    if state.decision.kind in ("place", "stuck"):
        ask_for_tile(state)
