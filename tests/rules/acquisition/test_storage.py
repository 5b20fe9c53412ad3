"""Conversion of states to plain values, and back."""

import json
from random import Random
from typing import Any

import pytest

from games.rules import acquisition
from games.rules.acquisition import from_json, to_json
from tests.rules.acquisition.positions import dealt, midgame, play, position


def through_json(state: acquisition.State) -> acquisition.State:
    return from_json(json.loads(json.dumps(to_json(state))))


def test_every_slot_of_state_survives() -> None:
    rng = Random(1)
    for _ in range(150):
        state = midgame(rng)
        again = through_json(state)
        for name in acquisition.State.__slots__:
            assert getattr(again, name) == getattr(state, name), name


def test_restored_game_continues_the_same() -> None:
    rng = Random(2)
    for _ in range(6):
        state = dealt(rng)
        again = through_json(state)
        while moves := acquisition.legal_moves(state):
            move = rng.choice(moves)
            assert list(acquisition.legal_moves(again)) == list(moves)
            assert acquisition.play(again, move) == acquisition.play(state, move)
            again = through_json(again)
        assert acquisition.standings(again) == acquisition.standings(state)


def test_state_is_far_below_a_kilobyte() -> None:
    rng = Random(3)
    assert max(len(json.dumps(to_json(midgame(rng)))) for _ in range(100)) < 500


def test_record_has_version_and_differing_options() -> None:
    record = to_json(position(tiles_each=30))
    assert record["version"] == 1
    assert record["rules"] == {"tiles": 30}
    assert to_json(position())["rules"] == {}


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
    record = {**to_json(position()), field: value}
    with pytest.raises(ValueError, match=f"(?i){fault}"):
        from_json(record)


def test_copy_is_independent() -> None:
    rng = Random(4)
    for _ in range(40):
        state = midgame(rng)
        copy = state.copy()
        before = json.dumps(to_json(state))
        while moves := acquisition.legal_moves(copy):
            acquisition.apply(copy, rng.choice(moves))
        assert json.dumps(to_json(state)) == before
        assert acquisition.invariants(state) == []
        assert list(acquisition.legal_moves(state)) == list(
            acquisition.legal_moves(from_json(json.loads(before)))
        )


def test_copy_has_every_slot() -> None:
    state = position({"B": "a1", "S": "b1"}, seats=3, tiles_each=9)
    play(state, "place c1")
    state.events = []
    copy = state.copy()
    for name in acquisition.State.__slots__:
        if name != "events":
            assert getattr(copy, name) == getattr(state, name), name
    assert copy.events is None
