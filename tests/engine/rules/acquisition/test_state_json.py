"""Conversion of states to plain values, and back."""

import json
from random import Random
from typing import Any

import pytest

from games.engine.rules.acquisition import rule_system as acquisition_rule_system
from games.engine.rules.acquisition.state import State
from games.engine.rules.acquisition.state_json import state_from_json, state_to_json
from tests.engine.rules.acquisition.acquisition_positions import dealt, midgame, play, position


def through_json(state: State) -> State:
    return state_from_json(json.loads(json.dumps(state_to_json(state))))


def test_every_slot_of_state_survives() -> None:
    rng = Random(1)
    for _ in range(150):
        state = midgame(rng)
        again = through_json(state)
        for name in State.__slots__:
            assert getattr(again, name) == getattr(state, name), name


def test_restored_game_continues_the_same() -> None:
    rng = Random(2)
    for _ in range(6):
        state = dealt(rng)
        again = through_json(state)
        while moves := acquisition_rule_system.legal_moves(state):
            move = rng.choice(moves)
            assert list(acquisition_rule_system.legal_moves(again)) == list(moves)
            assert acquisition_rule_system.play(again, move) == acquisition_rule_system.play(state, move)
            again = through_json(again)
        assert acquisition_rule_system.standings(again) == acquisition_rule_system.standings(state)


def test_state_is_far_below_a_kilobyte() -> None:
    rng = Random(3)
    assert max(len(json.dumps(state_to_json(midgame(rng)))) for _ in range(100)) < 500


def test_record_has_version_and_differing_options() -> None:
    record = state_to_json(position(tiles_each=30))
    assert record["version"] == 1
    assert record["rules"] == {"tiles": 30}
    assert state_to_json(position())["rules"] == {}


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("version", 0, "version"),
        ("version", 2, "version"),
        ("version", None, "version"),
        ("seats", 5, "2 to 4 players"),
        ("turn", 2, "no seat 2"),
        ("turn", "0", "no seat 0"),
        ("board", "." * 143, "144 marks"),
        ("board", "C" + "." * 143, r"144 marks out of \. P B S"),
        ("board", "BBBB" + "." * 140, "a group has 4 tiles"),
        ("tile", "a1", "can buy out the group of a1"),
    ],
)
def test_impossible_record_is_refused(field: str, value: Any, fault: str) -> None:
    record = {**state_to_json(position()), field: value}
    with pytest.raises(ValueError, match=f"(?i){fault}"):
        state_from_json(record)


def test_copy_is_independent() -> None:
    rng = Random(4)
    for _ in range(40):
        state = midgame(rng)
        copy = state.copy()
        before = json.dumps(state_to_json(state))
        while moves := acquisition_rule_system.legal_moves(copy):
            acquisition_rule_system.apply(copy, rng.choice(moves))
        assert json.dumps(state_to_json(state)) == before
        assert acquisition_rule_system.invariants(state) == []
        assert list(acquisition_rule_system.legal_moves(state)) == list(
            acquisition_rule_system.legal_moves(state_from_json(json.loads(before)))
        )


def test_copy_has_every_slot() -> None:
    state = position({"B": "a1", "S": "b1"}, seats=3, tiles_each=9)
    play(state, "place c1")
    state.events = []
    copy = state.copy()
    for name in State.__slots__:
        if name != "events":
            assert getattr(copy, name) == getattr(state, name), name
    assert copy.events is None
