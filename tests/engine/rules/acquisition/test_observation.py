"""Observations: everything but the seed."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from random import Random

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.observation import Observation, observation_to_json, observe, sample_state
from games.engine.rules.acquisition.state import State
from tests.engine.rules.acquisition.acquisition_positions import midgame, play, position


@pytest.mark.plain
def test_observation_is_state_without_seed() -> None:
    rng = Random(1)
    names = {field.name for field in fields(Observation)}
    assert set(State.__slots__) - names == {"seed", "events"}
    for _ in range(60):
        state = midgame(rng)
        for seat in (None, *range(state.seats)):
            seen = observe(state, seat)
            for name in ("board", "size", "reserve"):
                assert list(getattr(seen, name)) == getattr(state, name)
            for name in ("rules", "seats", "parks", "turn", "decision", "tile", "ended"):
                assert getattr(seen, name) == getattr(state, name)
            assert [list(owned) for owned in seen.buildings] == state.buildings
            assert list(seen.worth) == acquisition.worth(state)
            assert seen.open == tuple(move.square for move in state.open)


def test_observations_differ_in_legal_moves_only() -> None:
    rng = Random(2)
    for _ in range(40):
        state = midgame(rng)
        observations = [observe(state, seat) for seat in (None, *range(state.seats))]
        for seen in observations:
            assert replace(seen, seat=None, legal=()) == observations[0]
            asked = seen.seat is not None and seen.seat == acquisition.decider(state)
            assert seen.legal == (tuple(acquisition.legal_moves(state)) if asked else ())


Observer = Callable[[State, int | None], Observation]


def leaks(observer: Observer, rng: Random) -> int:
    """The number of positions in which the seed makes a difference."""
    found = 0
    for _ in range(60):
        state = midgame(rng)
        other = state.copy()
        other.seed = rng.randbytes(32)
        found += any(observer(state, seat) != observer(other, seat) for seat in (None, *range(state.seats)))
    return found


def test_seed_is_never_visible() -> None:
    assert leaks(observe, Random(3)) == 0


def test_leak_of_seed_is_detected() -> None:
    assert leaks(lambda state, seat: replace(observe(state, seat), turn=state.seed[0]), Random(3)) > 0


def test_observation_shares_nothing_with_state() -> None:
    state = position({"B": "a1", "S": "b1"})
    seen = observe(state, 0)
    text = json.dumps(observation_to_json(seen))
    play(state, "place c1", "buy out")
    assert json.dumps(observation_to_json(seen)) == text


def test_sampled_state_differs_in_seed_only() -> None:
    rng = Random(4)
    for _ in range(60):
        state = midgame(rng)
        for seat in (None, *range(state.seats)):
            made = sample_state(observe(state, seat, memory=True), rng)
            assert {**acquisition.state_to_json(made), "seed": ""} == {
                **acquisition.state_to_json(state),
                "seed": "",
            }
            assert made.seed != state.seed
            assert acquisition.invariants(made) == []
            assert acquisition.legal_moves(made) == acquisition.legal_moves(state)


def test_observation_as_plain_values() -> None:
    state = position({"B": "a1 e1 f1", "S": "b1"}, parks="l12 k12 i12 l11 l8 j11", tiles_each=9)
    play(state, "place a2")
    record = observation_to_json(observe(state, 0))
    assert record.pop("board").startswith("BS..BB....../B.")
    # All squares but the parks, the tiles, and the three squares around the group: c1, b2 and a3.
    assert len(record.pop("open")) == 144 - 6 - 5 - 3
    assert record == {
        "rules": {"tiles": 9}, "seat": 0, "seats": 2, "reserve": [5, 8], "large": [0, 0], "medium": [2, 0],
        "small": [0, 1], "parks": 0, "turn": 0, "decision": ["buyout", 0], "tile": "a2",
        "group": ["a1", "b1", "a2"], "ended": "", "legal": ["buy out", "decline"],
    }  # fmt: skip
    assert observation_to_json(observe(state, 1))["legal"] == []


def test_finished_game_has_no_decision() -> None:
    state = position({"B": "a1", "S": "c1"}, tiles_each=1, ended="no tile")
    record = observation_to_json(observe(state, 0))
    assert record["decision"] is None
    assert record["ended"] == "no tile"


def test_observation_is_immutable() -> None:
    with pytest.raises(AttributeError):
        observe(position(), 0).turn = 1
