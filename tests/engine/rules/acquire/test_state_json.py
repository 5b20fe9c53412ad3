"""Conversion of states to plain values, and back."""

import json
from random import Random
from statistics import median

import pytest

from games.engine.rules.acquire.state_json import state_from_json, state_to_json
from tests.engine.rules.acquire.acquire_positions import midgame, play, position


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
