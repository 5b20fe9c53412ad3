"""The deal: seats, first player, hands and bag."""

from collections import Counter
from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import LONE_TILE, NEIGHBOURS, SQUARE_NAMES
from games.engine.rules.acquire.deal import deal, seating
from games.engine.rules.acquire.rule_options import PRESETS, Rules
from games.engine.rules.acquire.state import State

SEEDS = [Random(number).randbytes(32) for number in range(300)]


@pytest.mark.parametrize("seats", acquire.SEATS)
@pytest.mark.parametrize("preset", PRESETS)
def test_deal_gives_six_tiles_and_6000_dollars(preset: str, seats: int) -> None:
    state = deal(PRESETS[preset], seats, SEEDS[0])
    assert acquire.invariants(state) == []
    assert [len(hand) for hand in state.hands] == [6] * seats
    assert state.cash == [6000] * seats
    assert state.bank[1:] == [25] * 7
    assert len(state.bag) == 108 - 6 * seats - (seats if state.rules.starting_tiles else 0)
    assert acquire.decider(state) == state.turn == state.first


def starting_tiles(state: State, seed: bytes) -> list[int]:
    """The starting tiles by seat, which are the first tiles of the bag."""
    undealt = deal(Rules(starting_tiles=False), state.seats, seed)
    # Without starting tiles the first tiles of the bag are the hand of seat 0, in drawing order.
    return undealt.hands[0][: state.seats]


def test_starting_tile_nearest_to_row_a_then_column_1_starts() -> None:
    ties = 0
    for seed in SEEDS:
        state = deal(Rules(), 5, seed)
        names = [SQUARE_NAMES[tile] for tile in starting_tiles(state, seed)]
        rows = sorted(name[-1] for name in names)
        ties += rows[0] == rows[1]
        best = min(range(5), key=lambda seat: (names[seat][-1], int(names[seat][:-1])))
        assert state.first == best
        assert [SQUARE_NAMES[square] for square in range(108) if state.board[square]] == sorted(
            names, key=lambda name: (name[-1], int(name[:-1]))
        )
    assert ties > 20


def test_adjacent_starting_tiles_found_nothing() -> None:
    touching = 0
    for seed in SEEDS:
        state = deal(Rules(), 6, seed)
        tiles = [square for square in range(108) if state.board[square]]
        assert {state.board[square] for square in tiles} == {LONE_TILE}
        assert state.size == [0] * 8
        assert state.decision.kind == "place"
        touching += any(n in tiles for square in tiles for n in NEIGHBOURS[square])
    assert touching > 20


def test_hands_are_drawn_from_starting_player_round() -> None:
    for seed in SEEDS[:50]:
        state = deal(Rules(), 4, seed)
        order = deal(Rules(starting_tiles=False), 4, seed)
        tiles = [tile for hand in order.hands for tile in hand] + order.bag[::-1]
        drawn = [tile for seat in range(4) for tile in state.hands[(state.first + seat) % 4]]
        assert drawn + state.bag[::-1] == tiles[4:]


def test_seat_0_starts_without_starting_tiles() -> None:
    for seed in SEEDS[:20]:
        state = deal(PRESETS["course"], 4, seed)
        assert state.first == 0
        assert not any(state.board)


def test_seats_follow_seed_or_order_of_joining() -> None:
    assert seating(PRESETS["course"], 5, SEEDS[0]) == [0, 1, 2, 3, 4]
    orders = Counter(tuple(seating(Rules(), 3, seed)) for seed in SEEDS)
    assert len(orders) == 6
    assert min(orders.values()) > 25
    assert seating(Rules(), 6, SEEDS[7]) == seating(Rules(), 6, SEEDS[7])
