"""Observations: what a seat may know, and states that fit it."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.invariants import invariants
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.observation import Observation, observation_to_json, observe, sample_state
from games.engine.rules.acquire.state import HAND, State
from tests.engine.rules.acquire.acquire_positions import chain, legal, midgame, play, position
from tests.support.hidden_tiles import shuffle_what_is_secret

Observer = Callable[[State, int | None], Observation]
SAFE_PAIR = {"tower": "1A-12A", "american": "1C-12C"}


def visible_values(observer: Observer, state: State, seat: int | None) -> tuple[str, str]:
    seen = observer(state, seat)
    return json.dumps(observation_to_json(seen)), repr(seen)


def leaks(observer: Observer, rng: Random, games: int) -> list[str]:
    """Positions in which a seat can distinguish what it must not; empty if nothing leaks."""
    found = []
    for _ in range(games):
        state = midgame(rng)
        for seat in (None, *range(state.seats)):
            visible = visible_values(observer, state, seat)
            for _ in range(2):
                other = shuffle_what_is_secret(state, seat, rng)
                if visible_values(observer, other, seat) != visible:
                    found.append(f"{state.rules} seat {seat} {state.decision}")
    return found


@pytest.mark.parametrize("part", range(4))
def test_observation_does_not_depend_on_secrets(part: int) -> None:
    assert leaks(observe, Random(part), 150) == []


def leak_of(name: str, value: Callable[[State], Any]) -> Observer:
    return lambda state, seat: replace(observe(state, seat), **{name: value(state)})


LEAKS: dict[str, Observer] = {
    "the next tile of the bag": leak_of("bag_size", lambda state: state.bag[-1] if state.bag else 0),
    "a tile of another hand": leak_of("tile", lambda state: max(state.hands[state.turn], default=0)),
    "the order of drawing": lambda state, seat: replace(
        observe(state, seat), hand=tuple(state.hands[seat]) if seat is not None else None
    ),
    "the legal moves of whoever is asked": leak_of("legal", lambda state: tuple(legal_moves(state))),
    "that a player has no playable tile": leak_of("decision", lambda state: state.decision),
    "what everybody is worth": leak_of("worth", lambda state: tuple(acquire.worth(state))),
    "who leads": leak_of("first", lambda state: state.cash.index(max(state.cash))),
    "the seed": leak_of("first", lambda state: state.seed[0]),
    "hidden shares": leak_of("holdings", lambda state: tuple(map(tuple, state.holdings))),
    "the memory of computers": lambda state, seat: replace(
        observe(state, seat), unchanged=hash(observe(state, seat, memory=True).memory)
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_leak_is_detected(name: str) -> None:
    """Sabotage twin of the test above: an observation that reveals too much must fail it."""
    assert leaks(LEAKS[name], Random(11), 80) != []


def test_memory_is_never_printed() -> None:
    state = position(rules="avalon-hill holdings=hidden", cash=[6000, 1234, 4321])
    seen = observe(state, 0, memory=True)
    assert seen.memory is not None
    assert seen.memory.cash == (6000, 1234, 4321)
    for text in (repr(seen), str(seen), json.dumps(observation_to_json(seen))):
        assert "1234" not in text
        assert "4321" not in text
    assert observe(state, 0).memory is None


def test_seat_sees_own_tiles_and_sizes_of_other_hands() -> None:
    state = position({"lone": "5E"}, hands=["9I 1A 4C", "2B 3B", "7G"])
    seen = observe(state, 0)
    assert [SQUARE_NAMES[tile] for tile in seen.hand or ()] == ["1A", "4C", "9I"]
    assert seen.hand_sizes == (3, 2, 1)
    assert seen.bag_size == len(state.bag)
    assert "2B" not in json.dumps(observation_to_json(seen))


def test_spectator_sees_no_hand_and_has_no_moves() -> None:
    state = position({"lone": "5E"}, hands=["9I 1A 4C", "2B 3B", "7G"])
    seen = observe(state, None)
    assert seen.hand is None
    assert seen.legal == ()
    assert seen.hand_sizes == (3, 2, 1)


def test_only_deciding_seat_sees_moves() -> None:
    rng = Random(2)
    for _ in range(50):
        state = midgame(rng)
        for seat in (None, *range(state.seats)):
            seen = observe(state, seat)
            if seat is not None and seat == acquire.decider(state):
                assert {move.text for move in seen.legal} == legal(state)
            else:
                assert seen.legal == ()


def test_only_own_seat_knows_that_it_is_stuck() -> None:
    state = position(SAFE_PAIR, hands=["1B 2B", "9I", "8I"])
    assert observe(state, 0).decision.kind == "stuck"
    assert [observe(state, seat).decision.kind for seat in (1, 2, None)] == ["place"] * 3
    play(state, "pass")
    assert observe(state, 1).decision.kind == "buy"


def test_open_holdings_are_visible() -> None:
    state = position({"tower": "1A 2A"}, cash=[1, 2, 3], shares={"tower": [4, 5, 6]})
    seen = observe(state, None)
    assert seen.cash == (1, 2, 3)
    assert seen.holdings[chain("tower")] == (4, 5, 6)
    assert seen.worth == tuple(acquire.worth(state))


def test_hidden_holdings_show_own_and_bank_only() -> None:
    held = {"tower": [4, 5, 6]}
    state = position({"tower": "1A 2A"}, rules="classic holdings=hidden", cash=[1, 2, 3], shares=held)
    seen = observe(state, 1)
    assert seen.cash == (None, 2, None)
    assert seen.holdings[chain("tower")] == (None, 5, None)
    assert seen.worth == (None, None, None)
    assert seen.bank[chain("tower")] == 10
    assert observe(state, None).cash == (None, None, None)


def test_hidden_holdings_of_defunct_chain_are_open_during_disposal() -> None:
    state = position(
        {"tower": "1A-3A", "american": "5A 6A"},
        rules="avalon-hill holdings=hidden",
        hands=["4A", "9I", "8I"],
        shares={"tower": [1, 2, 3], "american": [3, 2, 1]},
    )
    play(state, "place 4A")
    for seat in (0, 1, 2, None):
        seen = observe(state, seat)
        assert seen.holdings[chain("american")] == (3, 2, 1)
        assert seen.to_dispose == (0, 1, 2)
    assert observe(state, 1).holdings[chain("tower")] == (None, 2, None)
    assert observe(state, 1).cash == (None, 6000 + 1500, None)
    play(state, "dispose nothing", "dispose nothing", "dispose nothing")
    assert observe(state, 1).holdings[chain("american")] == (None, 2, None)


def test_hidden_holdings_are_open_at_end_and_tiles_secret() -> None:
    state = position(
        {"tower": "1A-11A"}, rules="avalon-hill holdings=hidden", hands=["9I", "8I", "7I"], decision="buy 0"
    )
    play(state, "buy nothing and end")
    seen = observe(state, None)
    assert seen.cash == (6000, 6000, 6000)
    assert seen.hand is None
    assert "8I" not in json.dumps(observation_to_json(observe(state, 0)))


def test_set_aside_tiles_are_public() -> None:
    state = position(SAFE_PAIR, hands=["1B 2B", "9I", "8I"], bag="5I 6I 7I")
    play(state, "redraw")
    aside = {SQUARE_NAMES[tile] for tile in observe(state, None).set_aside}
    assert {"1B", "2B"} <= aside


def test_observation_has_no_field_for_seed_or_bag() -> None:
    names = {field.name for field in fields(Observation)}
    assert names.isdisjoint({"seed", "bag", "hands", "coming", "turned", "events", "playable"})
    assert set(observation_to_json(observe(position(), None))) >= {"board", "decision", "legal"}


def test_observation_as_plain_values() -> None:
    state = position(
        {"tower": "2A-4A", "american": "1B 1C"},
        hands=["1A 9I", "8I", "7I"],
        shares={"american": [3, 2, 0], "tower": [0, 1, 0]},
        bag="12I 11I",
        first=2,
    )
    play(state, "place 1A")
    record = observation_to_json(observe(state, 0))
    aside = record.pop("aside").split()
    assert len(aside) == 108 - 6 - 3 - 2
    assert record == {
        "rules": {},
        "seat": 0,
        "seats": 3,
        "board": "oTTT......../A.........../A.........../" + "/".join(["............"] * 6),
        "sizes": {name: {"tower": 3, "american": 2}.get(name, 0) for name in CHAIN_BY_NAME},
        "bank": {name: {"tower": 24, "american": 20}.get(name, 25) for name in CHAIN_BY_NAME},
        "cash": [9000, 7500, 6000],
        "holdings": {
            name: {"tower": [0, 1, 0], "american": [3, 2, 0]}.get(name, [0, 0, 0])
            for name in CHAIN_BY_NAME
        },
        "worth": [9000 + 900, 7500 + 500 + 600 + 7500, 6000],
        "hand": "9I",
        "hand_sizes": [1, 1, 1],
        "bag_size": 2,
        "first": 2,
        "turn": 0,
        "unchanged": 0,
        "decision": ["dispose", 0],
        "tile": "1A",
        "merger": {"survivor": "tower", "defunct": "american", "queue": [], "to_dispose": [0, 1]},
        "ended": "",
        "legal": [
            "dispose nothing", "dispose sell 1", "dispose sell 2", "dispose sell 3",
            "dispose trade 2", "dispose sell 1 trade 2",
        ],
    }  # fmt: skip


def test_observation_does_not_change_with_game() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "9I", "8I"])
    seen = observe(state, 0)
    before = repr(seen)
    play(state, "place 4A", "buy 1 tower")
    assert repr(seen) == before


@pytest.mark.parametrize("part", range(4))
def test_sampled_state_is_sound_and_fits_observation(part: int) -> None:
    rng = Random(100 + part)
    for _ in range(60):
        state = midgame(rng)
        for seat in (None, *range(state.seats)):
            seen = observe(state, seat, memory=True)
            made = sample_state(seen, rng)
            assert invariants(made) == []
            assert observe(made, seat, memory=True) == seen
            assert observation_to_json(observe(made, seat)) == observation_to_json(seen)


def test_sampled_state_can_be_played_to_end() -> None:
    rng = Random(4)
    for _ in range(20):
        state = midgame(rng)
        made = sample_state(observe(state, state.turn, memory=True), rng)
        while moves := legal_moves(made):
            acquire.apply(made, rng.choice(moves))
            assert invariants(made) == []


def test_sampled_state_depends_on_observation_and_generator_only() -> None:
    rng = Random(5)
    for number in range(30):
        state = midgame(rng)
        other = shuffle_what_is_secret(state, 0, rng)
        if state.rules.holdings == "open":
            first = sample_state(observe(state, 0), Random(number))
            second = sample_state(observe(other, 0), Random(number))
            assert acquire.state_to_json(first) == acquire.state_to_json(second)


def test_unseen_tiles_are_equally_likely_everywhere() -> None:
    state = position({"lone": "5E"}, hands=["9I", "8I", "7I"], bag="1A 2A 3A")
    seen = observe(state, 0)
    rng = Random(6)
    owners = [sample_state(seen, rng).hands[1][0] for _ in range(2000)]
    counts = [owners.count(tile) for tile in set(owners)]
    assert len(counts) == 5
    assert min(counts) > 300


def test_hidden_holdings_need_memory() -> None:
    state = position(rules="avalon-hill holdings=hidden")
    with pytest.raises(ValueError, match="memory"):
        sample_state(observe(state, 0), Random(1))
    assert sample_state(observe(state, 0, memory=True), Random(1)).cash == state.cash


def test_hands_have_at_most_six_tiles() -> None:
    rng = Random(9)
    for _ in range(30):
        assert max(observe(midgame(rng), None).hand_sizes) <= HAND
