"""Bots: legal and repeatable choices that use no hidden information."""

import random
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import monte_carlo, plan_search, turn_plans
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import observe
from games.engine.rules.acquire.state import State
from games.engine.rules.rule_systems import SYSTEMS
from games.play.seats.seat_handover import STAND_IN_LEVEL
from tests.engine.bots.bot_positions import any_time
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.engine.rules.acquisition import acquisition_positions
from tests.support.hidden_tiles import choose, shuffle_tiles
from tests.tools.bot_soak import hurried_search

ACQUIRE = BOTS["acquire"]
EVERY_BOT = pytest.mark.parametrize("key", ACQUIRE)
EVERY_BOT_OF_ALL = pytest.mark.parametrize(
    ("system", "key"), [(system, key) for system, bots in BOTS.items() for key in bots]
)


def positions(system: str, rng: Random, count: int) -> Iterator[Any]:
    """Positions with a decision, from random moves or from bots."""
    for number in range(count):
        if system == "acquire":
            state: Any = midgame(rng) if number % 2 else any_time(rng)
        else:
            state = acquisition_positions.midgame(rng)
        if SYSTEMS[system].legal_moves(state):
            yield state


def test_bots_have_name_and_sentence() -> None:
    assert set(BOTS) == set(SYSTEMS)
    for bots in BOTS.values():
        assert len({bot.name for bot in bots.values()}) == len(bots)
        for key, bot in bots.items():
            assert key.isidentifier()
            assert bot.name
            assert bot.character.endswith(".")
            assert bot.character.count(".") == 1


@EVERY_BOT_OF_ALL
@pytest.mark.parametrize("part", range(2))
def test_choice_is_legal(system: str, key: str, part: int) -> None:
    """Positions cover all presets, mixed options and any number of seats."""
    rules, rng = SYSTEMS[system], Random(f"{key} {part}")
    for state in positions(system, rng, 120):
        before = rules.state_to_json(state)
        rules.check_move(state, choose(key, state, rng, system))
        assert rules.state_to_json(state) == before


@EVERY_BOT_OF_ALL
def test_choice_is_repeatable(system: str, key: str) -> None:
    for number, state in enumerate(positions(system, Random(1), 100)):
        first, again = Random(number), Random(number)
        assert choose(key, state, first, system) is choose(key, state, again, system)
        assert first.getstate() == again.getstate()


@EVERY_BOT_OF_ALL
def test_bot_out_of_time_still_answers(system: str, key: str) -> None:
    for state in positions(system, Random(3), 30):
        seen = SYSTEMS[system].observe(state, state.decision.seat, memory=True)
        assert BOTS[system][key].choose(seen, seen.legal, Random(1), lambda: True) in seen.legal


@pytest.mark.parametrize("system", SYSTEMS)
def test_stand_in_level_exists_and_is_quick(system: str) -> None:
    assert BOTS[system][STAND_IN_LEVEL].seconds is None


@EVERY_BOT
def test_choice_does_not_depend_on_hidden_tiles(key: str) -> None:
    asked, told = peeks(lambda state, rng: choose(key, state, rng), 150)
    assert asked > 100
    assert not told


@pytest.mark.parametrize("key", [key for key, bot in ACQUIRE.items() if bot.advise])
def test_estimates_do_not_depend_on_hidden_tiles(key: str) -> None:
    """The choice may stay the same even if the estimates differ."""
    asked, told = peeks(lambda state, rng: estimates(key, state, rng), 40)
    assert asked > 20
    assert not told


@pytest.mark.parametrize("key", [key for key, bot in ACQUIRE.items() if bot.advise])
def test_search_of_real_state_is_detected(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def searching(state: State, rng: Random) -> object:
        for module in (monte_carlo, plan_search, turn_plans):
            monkeypatch.setattr(module, "sample_state", lambda seen, rng: state.copy())
        return estimates(key, state, rng)

    _, told = peeks(searching, 40)
    assert told > 5


def test_bot_using_hidden_tiles_is_detected() -> None:
    def cheat(state: State, rng: Random) -> Move:
        moves = legal_moves(state)
        return moves[sum(state.hands[state.turn - 1]) % len(moves)]

    _, told = peeks(cheat, 60)
    assert told > 5


def estimates(key: str, state: State, rng: Random) -> object:
    seen = observe(state, state.decision.seat, memory=True)
    search = hurried_search(ACQUIRE[key].choose.__self__)  # type: ignore[attr-defined]
    return search.advise(seen, seen.legal, rng)


def peeks(answer: Callable[[State, Random], object], positions: int) -> tuple[int, int]:
    """The number of positions tried, and of those whose answer changes with the hidden tiles."""
    rng = Random(2)
    asked = told = 0
    for number in range(positions):
        state = midgame(rng) if number % 2 else any_time(rng)
        if legal_moves(state):
            asked += 1
            other = shuffle_tiles(state, rng)
            told += answer(state, Random(number)) != answer(other, Random(number))
    return asked, told


@EVERY_BOT_OF_ALL
def test_bot_does_not_use_global_random(system: str, key: str) -> None:
    before = random.getstate()
    choose(key, next(positions(system, Random(3), 30)), Random(3), system)
    assert random.getstate() == before


@EVERY_BOT
def test_bot_plays_hidden_holdings_from_memory(key: str) -> None:
    state = position(
        {"tower": "1A-4A", "luxor": "1C 2C"},
        rules="avalon-hill holdings=hidden",
        decision="buy 0",
        shares={"tower": [1, 2, 0]},
    )
    assert choose(key, state, Random(1)) in legal_moves(state)


@EVERY_BOT
def test_single_legal_move_is_played(key: str) -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B", "9I", "8I"], rules="course")
    assert str(choose(key, state, Random(1))) == "pass"


def test_random_bot_makes_every_legal_move() -> None:
    state = position({"tower": "1A 2A", "luxor": "1C 2C"}, decision="buy 0")
    rng = Random(1)
    moves = [choose("random", state, rng) for _ in range(1000)]
    counts = {move: moves.count(move) for move in moves}
    assert set(counts) == set(legal_moves(state))
    assert min(counts.values()) > 50
