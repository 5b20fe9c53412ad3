"""Judgement of positions by the learned weights."""

from array import array
from collections.abc import Mapping
from math import exp, prod
from random import Random

import pytest

from games.engine.bots.acquire import valuation
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.feature_list import COUNT, NAMES
from games.engine.bots.acquire.valuation import Valuation
from games.engine.bots.acquire.valuation_weights import HIDDEN, OUTPUTS, SHAPES, Weights, weights
from games.engine.rules.acquire.rule_options import Rules
from tests.engine.bots.bot_positions import after_turns
from tests.engine.rules.acquire.acquire_positions import position


def made_weights(**given: Mapping[int, float]) -> Weights:
    """Weights that are nothing but those given by name and place."""
    values = {name: array("f", [0.0]) * prod(shape) for name, shape in SHAPES.items()}
    for name, places in given.items():
        for place, value in places.items():
            values[name][place] = value
    return Weights(values, {})


CASH = NAMES.index("cash")


@pytest.fixture(params=[True, False], ids=["with numpy", "without numpy"])
def judge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Valuation:
    if not request.param:
        monkeypatch.setattr(valuation, "network", lambda: None)
    return Valuation(weights())


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_chances_of_all_seats_add_up_to_one(judge: Valuation, seats: int) -> None:
    state = after_turns(Rules(), seats, 12, Random(1))
    found = [judge.judge([state], seat, payments_for(state.rules, seats))[0] for seat in range(seats)]
    assert sum(chance for _, chance, _ in found) == pytest.approx(1, abs=1e-5)


def test_value_lies_between_zero_and_one(judge: Valuation) -> None:
    states = [after_turns(Rules(), 4, turns, Random(turns)) for turns in (1, 5, 20, 40, 60, 200)]
    assert all(0 <= value <= 1 for value, _, _ in judge.judge(states, 2, payments_for(Rules(), 4)))


def test_batch_is_judged_as_each_position_alone(judge: Valuation) -> None:
    states = [after_turns(Rules(), 4, turns, Random(turns)) for turns in (5, 200, 20, 40)]
    payments = payments_for(Rules(), 4)
    assert judge.judge(states, 1, payments) == [judge.judge([state], 1, payments)[0] for state in states]


def test_judgements_are_rounded(judge: Valuation) -> None:
    state = after_turns(Rules(), 4, 12, Random(1))
    ((_, chance, _),) = judge.judge([state], 0, payments_for(Rules(), 4))
    assert chance == round(chance, 6)


def test_finished_game_is_judged_by_its_result(judge: Valuation) -> None:
    state = after_turns(Rules(), 3, 1000, Random(1))
    payments = payments_for(state.rules, 3)
    winner = max(range(3), key=state.cash.__getitem__)
    others = max(dollars for seat, dollars in enumerate(state.cash) if seat != winner)
    ((_, chance, lead),) = judge.judge([state], winner, payments)
    assert (chance, lead) == (1, state.cash[winner] - others)


def test_skip_weighs_features_for_chance_and_money() -> None:
    state = position(cash=[6000, 3000, 0])
    judge = Valuation(made_weights(skip={CASH * OUTPUTS: 1.0, CASH * OUTPUTS + 1: 0.5}))
    ((_, chance, lead),) = judge.judge([state], 0, payments_for(state.rules, 3))
    assert chance == pytest.approx(exp(1) / (exp(1) + exp(0.5) + exp(0)), abs=1e-5)
    assert lead == pytest.approx(0.25 * 10_000)


def test_hidden_unit_counts_only_above_zero() -> None:
    state = position(cash=[6000, 3000, 0])
    judge = Valuation(
        made_weights(hidden={CASH * HIDDEN: 1.0}, hidden_bias={0: -0.75}, output={0: 4.0, 1: 1.0})
    )
    ((_, chance, lead),) = judge.judge([state], 0, payments_for(state.rules, 3))
    assert chance == pytest.approx(exp(1) / (exp(1) + 2), abs=1e-5)
    assert lead == pytest.approx(2500)


def test_linear_weights_play_where_there_is_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valuation, "network", lambda: None)
    state = position(cash=[6000, 3000, 0])
    judge = Valuation(made_weights(linear={CASH: 1.0}, skip={CASH * OUTPUTS: 9.0}))
    ((_, chance, lead),) = judge.judge([state], 0, payments_for(state.rules, 3))
    assert not judge.with_network
    assert chance == pytest.approx(exp(1) / (exp(1) + exp(0.5) + exp(0)), abs=1e-5)
    assert lead == 3000


def test_broken_numpy_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ImportError("libopenblas cannot be loaded")

    monkeypatch.setattr(valuation, "import_module", broken)
    assert not Valuation(weights()).with_network


def test_positions_are_not_changed(judge: Valuation) -> None:
    state = after_turns(Rules(), 4, 12, Random(1))
    before = (state.cash[:], state.board[:], state.bag[:])
    judge.judge([state], 0, payments_for(Rules(), 4))
    assert (state.cash, state.board, state.bag) == before


def test_learned_weights_know_who_is_far_ahead(judge: Valuation) -> None:
    state = position(
        {"tower": "1A-12A", "luxor": "1C-11C"},
        hands=["1I", "2I", "3I", "4I"],
        cash=[20_000, 500, 500, 500],
        shares={"tower": [10, 2, 1, 0], "luxor": [9, 0, 1, 3]},
    )
    ((_, chance, lead),) = judge.judge([state], 0, payments_for(state.rules, 4))
    assert chance > 0.8
    assert lead > 3000


def test_weights_fit_the_features() -> None:
    assert SHAPES["hidden"][0] == SHAPES["skip"][0] == COUNT
