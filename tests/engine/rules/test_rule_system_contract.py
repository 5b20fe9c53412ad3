"""The contract of rule systems, tested on each of them."""

import json
from random import Random
from types import ModuleType
from typing import Any

import pytest

from games.engine.rules import rule_systems
from games.engine.rules.rule_errors import IllegalMove
from games.engine.rules.rule_systems import SYSTEMS

FUNCTIONS = (  # noqa: SIM905 - words are easier to read
    "from_options to_options seat_counts teams partners seating deal decider legal_moves check_move"
    " forced_move parse_move apply play observe sample_state standings worth state_to_json"
    " state_from_json event_to_json event_from_json observation_to_json position_to_text"
    " position_from_text invariants hidden_information turns record_marks opening decision_theme"
    " decision_tier money_by_source"
).split()

pytestmark = pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))


def games(system: ModuleType, count: int = 8) -> Any:
    """New games under every preset with a few seeds, and their random generator."""
    rng = Random(1)
    for preset in system.PRESETS.values():
        for number in range(count):
            yield system.deal(preset, system.SEATS[number % len(system.SEATS)], rng.randbytes(32)), rng


def test_system_offers_contract(system: ModuleType) -> None:
    for name in FUNCTIONS:
        assert callable(getattr(system, name)), name
        assert name in (rule_systems.__doc__ or ""), name
    assert all(
        name in system.__all__
        for name in (
            "PRESETS",
            "OPTIONS",
            "SEATS",
            "HAS_FORCED_MOVES",
            "HAS_HIDDEN_INFORMATION",
            "RECORD_KINDS",
            "THEMES",
            "MONEY_SOURCES",
            "VERSION",
            *FUNCTIONS,
        )
    )
    assert all(hasattr(system, name) for name in system.__all__)
    assert hasattr(system, "redeal") == system.HAS_HIDDEN_INFORMATION
    assert "redeal(" in (rule_systems.__doc__ or "")


def test_options_survive_round_trip(system: ModuleType) -> None:
    for preset in system.PRESETS.values():
        options = system.to_options(preset)
        assert system.from_options(json.loads(json.dumps(options))) == preset
        assert set(options) <= set(system.OPTIONS)
    with pytest.raises(ValueError, match=r"\.$"):
        system.from_options({"no such option": 1})


def test_seating_gives_every_player_one_seat(system: ModuleType) -> None:
    for preset in system.PRESETS.values():
        for players in system.SEATS:
            seats = system.seating(preset, players, bytes(range(32)))
            assert sorted(seats) == list(range(players))


def test_deal_depends_on_seed_only(system: ModuleType) -> None:
    for state, rng in games(system):
        again = system.deal(state.rules, state.seats, state.seed)
        assert system.state_to_json(again) == system.state_to_json(state)
        other = system.deal(state.rules, state.seats, rng.randbytes(32))
        assert other.seed != state.seed
        if system.HAS_HIDDEN_INFORMATION:
            assert other.bag != state.bag


def test_wrong_number_of_players_and_seed_of_wrong_length_are_refused(system: ModuleType) -> None:
    rules = next(iter(system.PRESETS.values()))
    for players in (-1, 0, 1, max(system.SEATS) + 1):
        with pytest.raises(ValueError, match=rf"2 to {max(system.SEATS)} players"):
            system.deal(rules, players, bytes(32))
    for length in (0, 31, 33):
        with pytest.raises(ValueError, match=r"32 bytes"):
            system.deal(rules, 2, bytes(length))


def test_one_seat_decides_until_end(system: ModuleType) -> None:
    for state, rng in games(system):
        moves = 0
        while (seat := system.decider(state)) is not None:
            assert seat in range(state.seats)
            legal = system.legal_moves(state)
            assert legal
            move = rng.choice(list(legal))
            system.check_move(state, move)
            system.apply(state, move)
            assert system.invariants(state) == []
            moves += 1
            assert moves < 3000
        assert not system.legal_moves(state)
        ranks = [rank for rank, _, _ in system.standings(state)]
        assert ranks[0] == 1
        assert ranks == sorted(ranks)
        assert sorted(seat for _, seat, _ in system.standings(state)) == list(range(state.seats))
        assert len(system.worth(state)) == state.seats


def test_stale_move_is_refused_with_reason(system: ModuleType) -> None:
    for state, rng in games(system, 2):
        first = list(system.legal_moves(state))
        while legal := system.legal_moves(state):
            for move in first:
                if move not in legal:
                    before = system.state_to_json(state)
                    with pytest.raises(IllegalMove) as refusal:
                        system.check_move(state, move)
                    assert refusal.value.reason
                    assert system.state_to_json(state) == before
            system.apply(state, rng.choice(list(legal)))


def test_observation_has_plain_values_and_own_moves_only(system: ModuleType) -> None:
    for state, rng in games(system, 3):
        while legal := system.legal_moves(state):
            for seat in (None, *range(state.seats)):
                seen = system.observe(state, seat)
                record = system.observation_to_json(seen)
                assert json.loads(json.dumps(record)) == record
                assert state.seed.hex() not in json.dumps(record)
                mine = seat is not None and seat == system.decider(state)
                assert {str(move) for move in seen.legal} == (
                    {str(move) for move in legal} if mine else set()
                )
            system.apply(state, rng.choice(list(legal)))


def test_sampled_state_fits_observation(system: ModuleType) -> None:
    for state, rng in games(system, 2):
        while legal := system.legal_moves(state):
            seat = rng.choice([None, *range(state.seats)])
            seen = system.observe(state, seat, memory=True)
            made = system.sample_state(seen, rng)
            assert system.invariants(made) == []
            assert system.observe(made, seat, memory=True) == seen
            system.apply(state, rng.choice(list(legal)))


def test_forced_move_is_the_only_one_and_public(system: ModuleType) -> None:
    found = False
    for state, rng in games(system, 4):
        while legal := system.legal_moves(state):
            if (answer := system.forced_move(state)) is not None:
                assert list(legal) == [answer]
                found = True
            seen = system.observe(state, None, memory=True)
            assert system.forced_move(system.sample_state(seen, rng)) == answer
            system.apply(state, rng.choice(list(legal)))
    assert found == system.HAS_FORCED_MOVES


def test_every_decision_of_random_games_has_a_theme_and_a_tier(system: ModuleType) -> None:
    found = set()
    for state, rng in games(system, 2):
        while (seat := system.decider(state)) is not None:
            seen = system.observe(state, seat)
            move = rng.choice(list(seen.legal))
            found.add(system.decision_theme(seen, move))
            assert system.decision_tier(seen, move) in range(4)
            system.apply(state, move)
    assert found == set(system.THEMES)
