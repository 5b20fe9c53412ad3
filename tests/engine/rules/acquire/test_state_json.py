"""Conversion of states to plain values, and back."""

import json
from random import Random
from statistics import median

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.state_json import state_from_json, state_to_json
from tests.engine.rules.acquire.acquire_positions import dealt, midgame, play, position


def through_json(state: State) -> State:
    return state_from_json(json.loads(json.dumps(state_to_json(state))))


def test_every_slot_of_state_survives() -> None:
    rng = Random(1)
    for _ in range(200):
        state = midgame(rng)
        again = through_json(state)
        for name in State.__slots__:
            # Playable tiles are kept only while a tile is asked for.
            if name != "playable" or state.decision.kind in ("place", "stuck"):
                assert getattr(again, name) == getattr(state, name), name


def test_restored_game_continues_the_same() -> None:
    rng = Random(2)
    for _ in range(10):
        state = dealt(rng)
        again = through_json(state)
        while moves := acquire_rule_system.legal_moves(state):
            move = rng.choice(moves)
            assert list(acquire_rule_system.legal_moves(again)) == list(moves)
            assert acquire_rule_system.play(again, move) == acquire_rule_system.play(state, move)
            again = through_json(again)
        assert again.cash == state.cash


def test_state_has_about_a_kilobyte() -> None:
    rng = Random(3)
    sizes = [len(json.dumps(state_to_json(midgame(rng)), separators=(",", ":"))) for _ in range(200)]
    assert median(sizes) < 1300
    assert max(sizes) < 1600


def test_record_has_version_and_differing_options() -> None:
    record = state_to_json(position(rules="avalon-hill payout=four"))
    assert record["version"] == 1
    assert record["rules"] == {"payout": "four"}


@pytest.mark.parametrize("version", [0, 2, None, "1"])
def test_unknown_version_is_refused(version: object) -> None:
    record = {**state_to_json(position()), "version": version}
    with pytest.raises(ValueError, match="version"):
        state_from_json(record)


def test_record_shares_nothing_with_state() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "9I", "8I"], shares={"tower": [1, 2, 3]})
    record = state_to_json(state)
    kept = json.dumps(record)
    again = state_from_json(record)
    play(state, "place 4A", "buy 3 tower")
    play(again, "place 4A", "buy 2 tower")
    assert json.dumps(record) == kept


def test_copy_is_independent() -> None:
    rng = Random(4)
    for _ in range(60):
        state = midgame(rng)
        copy = state.copy()
        assert state_to_json(copy) == state_to_json(state)
        before = json.dumps(state_to_json(state))
        while moves := acquire_rule_system.legal_moves(copy):
            acquire_rule_system.apply(copy, rng.choice(moves))
        assert json.dumps(state_to_json(state)) == before
        assert list(acquire_rule_system.legal_moves(state)) == list(
            acquire_rule_system.legal_moves(state_from_json(json.loads(before)))
        )


def test_copy_has_every_slot() -> None:
    state = position(
        {"tower": "1A-3A", "american": "5A 6A"}, hands=["4A", "", ""], shares={"american": [1, 2, 3]}
    )
    play(state, "place 4A")
    state.events = []
    copy = state.copy()
    for name in State.__slots__:
        if name != "events":
            assert getattr(copy, name) == getattr(state, name), name
    assert copy.events is None
