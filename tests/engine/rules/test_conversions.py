"""Conversions of states, events and moves, copies, and recording, for each rule system."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules.rule_errors import InvalidMove, InvalidPosition
from games.engine.rules.rule_systems import SYSTEMS
from tests.engine.rules.acquire.acquire_positions import ACQUIRE
from tests.engine.rules.acquisition.acquisition_positions import ACQUISITION
from tests.engine.rules.game_notation import Notation

NOTATIONS = {"acquire": ACQUIRE, "acquisition": ACQUISITION}

pytestmark = pytest.mark.parametrize("notation", [NOTATIONS[name] for name in SYSTEMS], ids=list(SYSTEMS))

WORDS = "buy dispose sell trade place park out decline and end 0123456789 abl tower luxor"


def through_json(system: Any, state: Any) -> Any:
    return system.state_from_json(json.loads(json.dumps(system.state_to_json(state))))


# -- States --------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_every_slot_of_state_survives_json(notation: Notation) -> None:
    rng = Random(1)
    for _ in range(200):
        state = notation.midgame(rng)
        again = through_json(notation.system, state)
        for name in type(state).__slots__:
            # Playable tiles are kept only while a tile is asked for.
            if name != "playable" or state.decision.kind in ("place", "stuck"):
                assert getattr(again, name) == getattr(state, name), name


def test_state_survives_text(notation: Notation) -> None:
    rng, system = Random(1), notation.system
    for _ in range(200):
        state = notation.midgame(rng)
        text = system.position_to_text(state)
        again = system.position_from_text(text)
        assert system.state_to_json(again) == system.state_to_json(state)
        assert system.position_to_text(again) == text


@pytest.mark.parametrize(
    "text", ["", "\n\n", "board:", "hello", "board\n" * 100, "{}", json.dumps({"board": ""})]
)
def test_text_without_position_is_refused(notation: Notation, text: str) -> None:
    with pytest.raises(InvalidPosition):
        notation.system.position_from_text(text)


def test_restored_game_continues_the_same(notation: Notation) -> None:
    rng, system = Random(2), notation.system
    for _ in range(8):
        state = notation.dealt(rng)
        again = through_json(system, state)
        while moves := system.legal_moves(state):
            move = rng.choice(moves)
            assert list(system.legal_moves(again)) == list(moves)
            assert system.play(again, move) == system.play(state, move)
            again = through_json(system, again)
        assert system.standings(again) == system.standings(state)


def test_copy_is_independent(notation: Notation) -> None:
    rng, system = Random(4), notation.system
    for _ in range(60):
        state = notation.midgame(rng)
        copy = state.copy()
        assert system.state_to_json(copy) == system.state_to_json(state)
        before = json.dumps(system.state_to_json(state))
        while moves := system.legal_moves(copy):
            system.apply(copy, rng.choice(moves))
        assert json.dumps(system.state_to_json(state)) == before
        assert system.invariants(state) == []
        restored = system.state_from_json(json.loads(before))
        assert list(system.legal_moves(state)) == list(system.legal_moves(restored))


@pytest.mark.plain
def test_copy_has_every_slot_but_events(notation: Notation) -> None:
    rng = Random(5)
    for _ in range(60):
        state = notation.midgame(rng)
        state.events = []
        copy = state.copy()
        for name in type(state).__slots__:
            if name != "events":
                assert getattr(copy, name) == getattr(state, name), name
        assert copy.events is None


# -- Events --------------------------------------------------------------------------------------------


def test_events_survive_json(notation: Notation) -> None:
    system, seen = notation.system, set()
    for number in range(60):
        for event in notation.whole_game(Random(number))[1]:
            record = json.loads(json.dumps(system.event_to_json(event)))
            again = system.event_from_json(record)
            assert again == event
            assert type(again) is type(event)
            assert hash(again) == hash(event)
            seen.add(record["kind"])
    assert seen == set(notation.kinds)


def test_recording_events_does_not_change_state(notation: Notation) -> None:
    rng, system = Random(3), notation.system
    for _ in range(20):
        state = notation.dealt(rng)
        while moves := system.legal_moves(state):
            move = rng.choice(moves)
            silent = state.copy()
            system.apply(silent, move)
            assert system.play(state, move)
            assert state.events is silent.events is None
            assert system.state_to_json(silent) == system.state_to_json(state)


# -- Moves ---------------------------------------------------------------------------------------------


def test_every_move_survives_notation(notation: Notation) -> None:
    parse_move = notation.system.parse_move
    for move in notation.moves:
        assert parse_move(str(move)) is move
        assert parse_move(f"  {move.text.upper()} ".replace(" ", "   ")) is move
        assert str(move) == move.text == str(move).strip()


@given(text=st.text(max_size=60) | st.text(WORDS, max_size=60))
def test_no_text_breaks_parser(notation: Notation, text: str) -> None:
    try:
        move = notation.system.parse_move(text)
    except InvalidMove as refusal:
        assert len(str(refusal)) <= 200
    else:
        assert move in notation.moves


def test_moves_are_immutable(notation: Notation) -> None:
    with pytest.raises(AttributeError):
        notation.moves[0].text = "other"
