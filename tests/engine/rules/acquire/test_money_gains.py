"""Gains add up to everybody's money, whenever a game ends."""

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.events import Bought, ChainGrew, Event, Founded
from games.engine.rules.acquire.money_gains import Gains, gains
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.money_breakdown import gain_names
from tests.engine.bots.bot_positions import RULES
from tests.web.presenters.presenter_cases import Played


def random_game(rules: Rules, seats: int, seed: int, moves: int) -> tuple[State, list[Event]]:
    """Play this many random moves, or a whole game; return the state and all events."""
    rng = Random(seed)
    state = acquire.deal(rules, seats, rng.randbytes(32))
    events: list[Event] = []
    for _ in range(moves):
        legal = acquire.legal_moves(state)
        if not legal:
            break
        events += acquire.play(state, rng.choice(legal))
    return state, events


def dollars(found: Iterable[Gains]) -> list[int]:
    return [gained.total() for gained in found]


@given(name=st.sampled_from(sorted(RULES)), seats=st.sampled_from(acquire.SEATS), seed=st.integers(0, 10**6))
def test_gains_add_up_to_the_final_money(name: str, seats: int, seed: int) -> None:
    state, events = random_game(RULES[name], seats, seed, 10_000)
    assert state.ended
    assert dollars(gains(RULES[name], seats, events, [0] * seats)) == state.cash


@given(
    name=st.sampled_from(sorted(RULES)),
    seats=st.sampled_from(acquire.SEATS),
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 300),
)
def test_gains_add_up_when_the_players_end_the_game(name: str, seats: int, seed: int, moves: int) -> None:
    """At any moment, also during a merger; unpaid bonuses are no debt."""
    state, events = random_game(RULES[name], seats, seed, moves)
    found = gains(RULES[name], seats, events, acquire.worth(state))
    assert dollars(found) == acquire.worth(state)
    assert all(gained.final_bonuses >= 0 for gained in found)


def test_founder_gains_by_the_share_and_by_growth() -> None:
    rules = Rules()
    events: list[Event] = [
        Founded(0, "tower", 2, True),
        Bought(0, (("tower", 2),), 400),
        Bought(1, (("tower", 1),), 200),
        ChainGrew("tower", 4),
    ]
    two, four = (rules.prices[CHAIN_BY_NAME["tower"]][size] for size in (2, 4))
    assert four > two > 0
    first, second = gains(rules, 2, events, [6000 + two + 3 * (four - two), 6000 + four - two])
    assert first == Gains(founded=two, growth=3 * (four - two))
    assert second == Gains(growth=four - two)


def test_every_gain_has_a_name() -> None:
    assert len(gain_names()) == len(Gains.__slots__)


@pytest.mark.parametrize("lost", ["Founded", "ChainGrew", "Bought", "Disposed", "BonusPaid"])
def test_missing_kind_of_event_is_detected(lost: str) -> None:
    rules = Rules()
    differ = 0
    for seed in range(3):
        state, events = random_game(rules, 4, seed, 10_000)
        kept = [event for event in events if type(event).__name__ != lost]
        try:
            differ += dollars(gains(rules, 4, kept, [0] * 4)) != state.cash
        except KeyError:
            differ += 1
    assert differ == 3


def test_gains_can_be_computed_from_the_stored_log() -> None:
    played = Played(acquire.deal(Rules(), 3, bytes(32)))
    rng = Random(4)
    while legal := acquire.legal_moves(played.state):
        played.play(rng.choice(legal))
    stored = [acquire.event_to_json(event) for entry in played.entries for event in entry.events]
    events = [acquire.event_from_json(record) for record in stored]
    assert dollars(gains(Rules(), 3, events, [0] * 3)) == played.state.cash
