"""Conversion of states to plain values, and back."""

import json
from random import Random
from typing import Any

import pytest

from games.engine.rules.acquisition.state_json import state_from_json, state_to_json
from tests.engine.rules.acquisition.acquisition_positions import midgame, position


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
