"""Conversion of states to plain values, and back."""

import json
from random import Random
from statistics import median

import pytest

from games.rules import acquire
from games.rules.acquire import from_json, to_json
from tests.rules.positions import dealt, midgame, play, position


def through_json(state: acquire.State) -> acquire.State:
    return from_json(json.loads(json.dumps(to_json(state))))


def test_every_slot_of_state_survives() -> None:
    rng = Random(1)
    for _ in range(200):
        state = midgame(rng)
        again = through_json(state)
        for name in acquire.State.__slots__:
            # Playable tiles are kept only while a tile is asked for.
            if name != "playable" or state.decision.kind in ("place", "stuck"):
                assert getattr(again, name) == getattr(state, name), name


def test_restored_game_continues_the_same() -> None:
    rng = Random(2)
    for _ in range(10):
        state = dealt(rng)
        again = through_json(state)
        while moves := acquire.legal_moves(state):
            move = rng.choice(moves)
            assert list(acquire.legal_moves(again)) == list(moves)
            assert acquire.play(again, move) == acquire.play(state, move)
            again = through_json(again)
        assert again.cash == state.cash


def test_state_has_about_a_kilobyte() -> None:
    rng = Random(3)
    sizes = [len(json.dumps(to_json(midgame(rng)), separators=(",", ":"))) for _ in range(200)]
    assert median(sizes) < 1300
    assert max(sizes) < 1600


def test_record_has_version_and_differing_options() -> None:
    record = to_json(position(rules="avalon-hill payout=four"))
    assert record["version"] == 1
    assert record["rules"] == {"payout": "four"}


@pytest.mark.parametrize("version", [0, 2, None, "1"])
def test_unknown_version_is_refused(version: object) -> None:
    record = {**to_json(position()), "version": version}
    with pytest.raises(ValueError, match="version"):
        from_json(record)


def test_record_shares_nothing_with_state() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "9I", "8I"], shares={"tower": [1, 2, 3]})
    record = to_json(state)
    kept = json.dumps(record)
    again = from_json(record)
    play(state, "place 4A", "buy 3 tower")
    play(again, "place 4A", "buy 2 tower")
    assert json.dumps(record) == kept


def test_copy_is_independent() -> None:
    rng = Random(4)
    for _ in range(60):
        state = midgame(rng)
        copy = state.copy()
        assert to_json(copy) == to_json(state)
        before = json.dumps(to_json(state))
        while moves := acquire.legal_moves(copy):
            acquire.apply(copy, rng.choice(moves))
        assert json.dumps(to_json(state)) == before
        assert list(acquire.legal_moves(state)) == list(acquire.legal_moves(from_json(json.loads(before))))


def test_copy_has_every_slot() -> None:
    state = position(
        {"tower": "1A-3A", "american": "5A 6A"}, hands=["4A", "", ""], shares={"american": [1, 2, 3]}
    )
    play(state, "place 4A")
    state.events = []
    copy = state.copy()
    for name in acquire.State.__slots__:
        if name != "events":
            assert getattr(copy, name) == getattr(state, name), name
    assert copy.events is None
