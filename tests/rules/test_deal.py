"""The deal: seats, the first player, hands and bag."""

from collections import Counter
from random import Random

import pytest

from games.rules import acquire
from games.rules.acquire import LONE, PRESETS, SQUARE_NAMES, Rules, deal, seating

SEEDS = [Random(number).randbytes(32) for number in range(300)]


@pytest.mark.parametrize("seats", acquire.SEATS)
@pytest.mark.parametrize("preset", PRESETS)
def test_everybody_starts_with_six_tiles_and_six_thousand_dollars(preset: str, seats: int) -> None:
    state = deal(PRESETS[preset], seats, SEEDS[0])
    assert acquire.invariants(state) == []
    assert [len(hand) for hand in state.hands] == [6] * seats
    assert state.cash == [6000] * seats
    assert state.bank[1:] == [25] * 7
    assert len(state.bag) == 108 - 6 * seats - (seats if state.rules.starting_tiles else 0)
    assert acquire.decider(state) == state.turn == state.first


def starting_tiles(state: acquire.State, seed: bytes) -> list[int]:
    """The tiles that the seats drew for the start, in seat order: the first of the bag."""
    undealt = deal(Rules(starting_tiles=False), state.seats, seed)
    # Without starting tiles the first tiles of the bag are the hand of seat 0, in the order of drawing.
    return undealt.hands[0][: state.seats]


def test_the_starting_tile_nearest_row_a_starts_and_ties_go_to_the_lowest_column() -> None:
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


def test_starting_tiles_found_nothing_even_side_by_side() -> None:
    touching = 0
    for seed in SEEDS:
        state = deal(Rules(), 6, seed)
        tiles = [square for square in range(108) if state.board[square]]
        assert {state.board[square] for square in tiles} == {LONE}
        assert state.size == [0] * 8
        assert state.decision.kind == "place"
        touching += any(n in tiles for square in tiles for n in acquire.NEIGHBOURS[square])
    assert touching > 20


def test_hands_are_drawn_six_at_once_from_the_starting_player_round() -> None:
    for seed in SEEDS[:50]:
        state = deal(Rules(), 4, seed)
        order = deal(Rules(starting_tiles=False), 4, seed)
        tiles = [tile for hand in order.hands for tile in hand] + order.bag[::-1]
        drawn = [tile for seat in range(4) for tile in state.hands[(state.first + seat) % 4]]
        assert drawn + state.bag[::-1] == tiles[4:]


def test_without_starting_tiles_seat_zero_starts_on_an_empty_board() -> None:
    for seed in SEEDS[:20]:
        state = deal(PRESETS["course"], 4, seed)
        assert state.first == 0
        assert not any(state.board)


def test_seats_are_dealt_by_the_seed_or_taken_in_the_order_of_joining() -> None:
    assert seating(PRESETS["course"], 5, SEEDS[0]) == [0, 1, 2, 3, 4]
    orders = Counter(tuple(seating(Rules(), 3, seed)) for seed in SEEDS)
    assert len(orders) == 6
    assert min(orders.values()) > 25
    assert seating(Rules(), 6, SEEDS[7]) == seating(Rules(), 6, SEEDS[7])


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_nobody_deals_for_a_wrong_number_of_players(seats: int) -> None:
    with pytest.raises(ValueError, match=r"2 to 6 players"):
        deal(Rules(), seats, SEEDS[0])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_nobody_deals_from_a_seed_of_a_wrong_length(length: int) -> None:
    with pytest.raises(ValueError, match=r"32 bytes"):
        deal(Rules(), 4, bytes(length))


def test_the_same_seed_deals_the_same_game_and_another_one_another() -> None:
    first, again, other = (acquire.to_json(deal(Rules(), 4, seed)) for seed in (SEEDS[0], SEEDS[0], SEEDS[1]))
    assert first == again
    assert first["bag"] != other["bag"]
