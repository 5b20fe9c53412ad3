"""Dealing again: all hidden tiles come from a second seed, and nothing else changes."""

from collections import Counter
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import dealt
from tests.support.second_dealer import SecondDealer

SEED = bytes(range(32))


def positions(number: int) -> list[State]:
    """Positions of a random game, one before each decision."""
    rng = Random(number)
    state = dealt(rng)
    found = [state.copy()]
    while moves := acquire.legal_moves(state):
        acquire.apply(state, rng.choice(list(moves)))
        found.append(state.copy())
    return found


def dealt_again(state: State, seed: bytes = SEED) -> State:
    new = state.copy()
    acquire.redeal(new, seed)
    return new


def hidden(state: State) -> Counter[int]:
    return Counter([*(tile for hand in state.hands for tile in hand), *state.bag])


def public(state: State) -> dict[str, Any]:
    record = acquire.state_to_json(state)
    return {name: value for name, value in record.items() if name not in ("hands", "bag", "seed", "decision")}


@pytest.mark.parametrize("number", range(6))
def test_only_hidden_tiles_change(number: int) -> None:
    for before in positions(number):
        after = dealt_again(before)
        assert public(after) == public(before)
        assert [len(hand) for hand in after.hands] == [len(hand) for hand in before.hands]
        assert hidden(after) == hidden(before)
        assert after.seed == SEED
        assert acquire.invariants(after) == []
        assert acquire.decider(after) == acquire.decider(before)


@pytest.mark.parametrize("number", range(4))
def test_spectators_see_no_difference(number: int) -> None:
    for before in positions(number):
        assert acquire.observe(dealt_again(before), None) == acquire.observe(before, None)


@pytest.mark.parametrize("number", range(4))
def test_deal_is_that_of_the_second_dealer(number: int) -> None:
    for before in positions(number)[::7]:
        seed = sha256(b"%d %d" % (number, before.turn)).digest()
        hands, bag = in_notation(before)
        assert in_notation(dealt_again(before, seed)) == SecondDealer(seed.hex()).deal_again(hands, bag)


def in_notation(state: State) -> tuple[list[list[str]], list[str]]:
    hands = [[SQUARE_NAMES[tile] for tile in hand] for hand in state.hands]
    return hands, [SQUARE_NAMES[tile] for tile in reversed(state.bag)]


def test_deal_does_not_depend_on_where_the_tiles_were() -> None:
    """Otherwise what everybody has seen would tell something about the new hands."""
    for before in positions(3)[::5]:
        other = dealt_again(before, bytes(32))
        assert in_notation(dealt_again(other)) == in_notation(dealt_again(before))


def test_seat_to_place_gets_the_moves_of_its_new_hand() -> None:
    kinds = set()
    for number in range(6):
        for before in positions(number):
            after = dealt_again(before)
            kinds.add((before.decision.kind, after.decision.kind))
            if after.decision.kind == "place":
                assert {move.square for move in after.playable} <= set(after.hands[after.turn])
            game = after.copy()
            if moves := acquire.legal_moves(game):
                acquire.apply(game, moves[0])
    assert {("place", "place"), ("buy", "buy"), ("found", "found")} <= kinds


def test_game_dealt_again_is_stored_and_read() -> None:
    for before in positions(5)[::9]:
        record = acquire.state_to_json(dealt_again(before))
        assert acquire.state_to_json(acquire.state_from_json(record)) == record


def test_each_seed_deals_otherwise() -> None:
    before = positions(1)[10]
    deals = {str(in_notation(dealt_again(before, sha256(b"%d" % n).digest()))) for n in range(50)}
    assert len(deals) == 50


def test_short_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        acquire.redeal(positions(1)[0], b"short")


def test_every_hidden_tile_is_equally_likely_in_a_hand() -> None:
    before = positions(2)[20]
    total = 3_000
    counts: Counter[int] = Counter()
    for number in range(total):
        counts.update(dealt_again(before, sha256(b"fair %d" % number).digest()).hands[0])
    cells, hand = len(hidden(before)), len(before.hands[0])
    expected = total * hand / cells
    assert set(counts) == set(hidden(before))
    assert all(abs(count - expected) < 6 * expected**0.5 for count in counts.values())
