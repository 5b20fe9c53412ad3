"""Evaluation: from 0 to 1, equal for every seat, and never lower with more money."""

from collections.abc import Iterator
from dataclasses import fields
from math import log
from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import evaluation
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.evaluation import Evaluator, linear_evaluation, worth_evaluation
from games.engine.bots.acquire.linear_weights import Weights
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import END_SIZE
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import any_time
from tests.engine.rules.acquire.acquire_positions import position

BOTH = pytest.mark.parametrize("judge", [worth_evaluation, linear_evaluation])


def states(seed: int, count: int = 60) -> Iterator[State]:
    rng = Random(seed)
    for _ in range(count):
        yield any_time(rng)


def judged(judge: Evaluator, state: State, seat: int) -> evaluation.Evaluation:
    return judge(state, seat, payments_for(state.rules, state.seats))


def over(cash: list[int]) -> State:
    """A finished game with this money."""
    state = position({"tower": "1A-12A"}, hands=[""] * len(cash), cash=cash, decision="buy 0")
    acquire.apply(state, acquire.parse_move("buy nothing and end"))
    return state


def turned(state: State, by: int) -> State:
    """The same game with every player moved on by `by` seats."""

    def moved(values: list[int]) -> list[int]:
        return [values[(seat - by) % state.seats] for seat in range(state.seats)]

    other = state.copy()
    other.cash = moved(state.cash)
    other.holdings = [moved(held) for held in state.holdings]
    other.turn = (state.turn + by) % state.seats
    return other


@BOTH
def test_evaluation_is_between_0_and_1_and_changes_nothing(judge: Evaluator) -> None:
    found = set()
    for state in states(1):
        before = acquire.state_to_json(state)
        verdicts = [judged(judge, state, seat) for seat in range(state.seats)]
        found |= {value for value, _, _ in verdicts}
        assert all(0 <= chance <= 1 for _, chance, _ in verdicts)
        assert acquire.state_to_json(state) == before
    assert all(0 <= verdict <= 1 for verdict in found)
    assert min(found) < 0.1
    assert max(found) > 0.9


def test_learned_chances_add_up_to_one() -> None:
    """This holds no matter how much the lead counts in the ranking of moves."""
    for state in states(2):
        if not state.ended:
            chances = [judged(linear_evaluation, state, seat)[1] for seat in range(state.seats)]
            assert sum(chances) == pytest.approx(1)


@BOTH
def test_chance_ignores_size_of_win(judge: Evaluator) -> None:
    narrow, clear = [judged(judge, over([cash, 20_000, 0]), 0) for cash in (20_100, 60_000)]
    assert narrow[1] == clear[1] == 1
    assert narrow[0] < clear[0]


PAIRS = ("shares", "price", "bonus", "lead")
NOTHING = {field.name: (0.0, 0.0) if field.name in PAIRS else 0.0 for field in fields(Weights)}
END = {"tower": "1A-12A 1B-12B 1C-12C 1D-5D"}


def judge_by(weights: list[Weights], monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge by these weights alone, and remember no scores of other weights."""
    monkeypatch.setattr(evaluation, "CHANCE", 1.0)
    monkeypatch.setattr(evaluation, "WEIGHTS", weights)
    monkeypatch.setattr(evaluation, "_scores_on_board", evaluation._scores_on_board.__wrapped__)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("feature", "counted"),
    [
        ({"cash": 1.0}, 2.5 - 0.8),
        ({"first_1000": 1.0}, 1.0 - 0.8),
        ({"first_3000": 1.0}, 2.5 - 0.8),
        ({"shelved": 1.0}, 2),
        ({"wait": 1.0}, 2 / 3),
        ({"shares": (1.0, 0.0)}, 2 - 1),
        ({"shares": (0.0, 1.0)}, 8 - 3),
        ({"price": (1.0, 0.0)}, 0.3 * (2 - 1)),
        ({"price": (0.0, 1.0)}, 0.9 * (8 - 3)),
        # The minority of Sackson against nothing; majority against minority of Tower.
        ({"bonus": (1.0, 0.0)}, 1.5),
        ({"bonus": (0.0, 1.0)}, 9.0 - 4.5),
        # Two and three shares behind the first in Sackson; clearly ahead and behind in Tower.
        ({"lead": (1.0, 0.0)}, 0.3 * (-2 + 3)),
        ({"lead": (0.0, 1.0)}, 0.9 * (4 + 4)),
        ({"small_price": 1.0}, 0.3 * (2 - 1)),
        ({"small_bonus": 1.0}, 1.5),
    ],
)
def test_feature_counts_by_its_weight(
    feature: dict[str, Any], counted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weight shows in the log odds of seat 0 against seat 1, which is on turn."""
    judge_by([Weights(**NOTHING | feature)] * (END_SIZE + 1), monkeypatch)
    state = position(
        {"tower": "1A-12A", "luxor": "1C-3C"},
        cash=[2500, 800, 5000],
        shares={"tower": [8, 3, 0], "luxor": [2, 1, 4], "american": [2, 0, 0]},
        turn=1,
    )
    first, second = [judged(linear_evaluation, state, seat)[0] for seat in (0, 1)]
    assert log(first / second) == pytest.approx(counted)


@pytest.mark.plain
@pytest.mark.parametrize(("chains", "size"), [({}, 0), ({"tower": "1A-7A"}, 7), (END, 41)])
def test_weights_change_with_largest_chain(
    chains: dict[str, str], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_by(
        [Weights(**NOTHING | {"cash": number / 10}) for number in range(END_SIZE + 1)],  # type: ignore[arg-type]
        monkeypatch,
    )
    state = position(chains, cash=[2000, 1000, 0])
    first, second = [judged(linear_evaluation, state, seat)[0] for seat in (0, 1)]
    assert log(first / second) == pytest.approx(size / 10)


@BOTH
def test_evaluation_follows_seat(judge: Evaluator) -> None:
    for state in states(3):
        for by in range(1, state.seats):
            other = turned(state, by)
            for seat in range(state.seats):
                there = judged(judge, other, (seat + by) % state.seats)
                assert there == pytest.approx(judged(judge, state, seat))


@BOTH
def test_more_cash_is_never_worse(judge: Evaluator) -> None:
    for state in states(4):
        for seat in range(state.seats):
            verdicts = []
            for _ in range(6):
                verdicts.append(judged(judge, state, seat))
                state.cash[seat] += 700
            assert verdicts == sorted(verdicts)
            assert verdicts[0] < verdicts[-1]


@BOTH
@pytest.mark.parametrize("seats", acquire.SEATS)
def test_finished_game_is_certain(judge: Evaluator, seats: int) -> None:
    rest = [10_000] * (seats - 2)
    assert judged(judge, over([60_000, 20_000, *rest]), 0) == (pytest.approx(1, abs=0.01), 1, 40_000)
    assert judged(judge, over([60_000, 20_000, *rest]), 1) == (pytest.approx(0, abs=0.01), 0, -40_000)
    assert judged(judge, over([20_000, 20_000, *rest]), 0) == (0.5, 0.5, 0)


@BOTH
def test_narrow_win_is_far_better_than_narrow_loss(judge: Evaluator) -> None:
    won, lost = [judged(judge, over([20_100, 20_000, 0]), seat)[0] for seat in (0, 1)]
    assert won - lost > 0.4


def test_sure_winner_is_known_before_end() -> None:
    state = position(
        {"tower": "1A-12A 1B-12B 1C-12C", "american": "1E-11E"},
        cash=[40_000, 2000, 1000],
        shares={"tower": [13, 2, 0], "american": [13, 0, 1]},
    )
    for judge in (worth_evaluation, linear_evaluation):
        assert judged(judge, state, 0)[0] > 0.95
        assert judged(judge, state, 1)[0] < 0.05


def test_evaluation_has_lead_in_dollars() -> None:
    state = position({}, cash=[6000, 5000, 7500])
    assert [judged(linear_evaluation, state, seat)[2] for seat in range(3)] == [-1500, -2500, 1500]
