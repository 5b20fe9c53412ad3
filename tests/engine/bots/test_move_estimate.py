"""Ratings of played moves against the best move found."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine.bots import move_estimate
from games.engine.bots.acquire import monte_carlo
from games.engine.bots.acquire.monte_carlo import EXPERT_1, MIN_TRIES, MonteCarloSearch
from games.engine.bots.acquisition.beam_search import HARD as FAR_SIGHTED
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Move, Place
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.engine.rules.acquisition import rule_system as acquisition
from tests.engine.bots.bot_positions import any_time, seen_in
from tests.engine.rules.acquisition.acquisition_positions import position as built

QUICK = replace(EXPERT_1, tries=40)


@pytest.fixture
def opening() -> State:
    return acquire.deal(Rules(), 4, bytes(32))


def test_moves_that_were_dropped_early_are_not_well_tried() -> None:
    tried = {"a": 80, "b": 40, "c": 39, "d": 3}
    trials = [move_estimate.Estimate(name, 0.5, 0.0, tries) for name, tries in tried.items()]
    assert [one.move for one in move_estimate.well_tried(trials)] == ["a", "b"]
    assert move_estimate.well_tried([]) == []


def rate(level: MonteCarloSearch, state: State, played: Move, seed: int = 1) -> move_estimate.Rating:
    seen = seen_in(state)
    return level.rate(seen, seen.legal, played, Random(seed))


def test_every_legal_move_can_be_rated() -> None:
    rng = Random(2)
    for _ in range(25):
        seen = seen_in(any_time(rng))
        if not seen.legal:
            continue
        played = rng.choice(seen.legal)
        found = QUICK.rate(seen, seen.legal, played, Random(1))
        assert found.played.move == played
        assert found.best.move in seen.legal
        # Both have the same number of tries, with the same deals.
        assert found.best.tries == found.played.tries
        assert 0 <= found.played.chance <= 1
        assert found.best is found.played or found.best.move != played


def test_rating_is_repeatable(opening: State) -> None:
    played = acquire.legal_moves(opening)[-1]
    assert rate(QUICK, opening, played) == rate(QUICK, opening, played)


def test_rating_tells_the_chance_of_every_seat(opening: State) -> None:
    played = acquire.legal_moves(opening)[0]
    found = rate(QUICK, opening, played)
    assert len(found.chances) == 4
    assert sum(found.chances) == pytest.approx(1)
    assert found.chances[opening.decision.seat] == pytest.approx(found.played.chance)
    assert min(found.chances) >= 0


def test_rating_tells_the_other_moves_that_were_considered(opening: State) -> None:
    found = rate(QUICK, opening, acquire.legal_moves(opening)[0])
    told = [one.move for one in found.others]
    assert told and len(set(told)) == len(told)
    assert not {found.best.move, found.played.move}.intersection(told)


@pytest.mark.parametrize(
    ("chances", "own", "scaled"),
    [
        ([0.2, 0.3, 0.5], 0.2, (0.2, 0.3, 0.5)),
        ([4.0, 1.0, 3.0], 0.6, (0.6, 0.1, 0.3)),
        ([1.0, 0.0, 0.0], 0.5, (0.5, 0.25, 0.25)),
        ([0.5, 0.5], 1.0, (1.0, 0.0)),
        ([0.5, 0.5], 1.0000000001, (1.0, 0.0)),
    ],
)
def test_shares_of_the_win_add_up_to_one(chances: list[float], own: float, scaled: tuple[float, ...]) -> None:
    assert move_estimate.shares_of_win(chances, 0, own) == pytest.approx(scaled)


def judging(values: dict[int, float]) -> Any:
    """An evaluator that knows the value of a tile on each square."""

    def judge(state: State, *_asked: Any) -> tuple[float, float, float]:
        value = next(value for square, value in values.items() if state.board[square])
        return value, value, 1000 * value

    return judge


def test_rating_shows_difference_to_best_move(opening: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monte_carlo, "roll_out", lambda *asked: None)
    moves = acquire.legal_moves(opening)
    values = {move.square: at / 10 for at, move in enumerate(moves) if isinstance(move, Place)}
    level = replace(QUICK, judge=judging(values))
    found = rate(level, opening, moves[1])
    assert found.best.move == moves[-1]
    assert found.best.chance - found.played.chance == pytest.approx((len(moves) - 2) / 10)
    assert found.best.lead - found.played.lead == pytest.approx(100 * (len(moves) - 2))
    best = rate(level, opening, moves[-1])
    assert best.best is best.played


def test_insignificant_difference_counts_as_none(opening: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves are equally good here, but some do better in their tries."""
    monkeypatch.setattr(monte_carlo, "roll_out", lambda *asked: None)
    chance = Random(7)

    def judge(*_asked: Any) -> tuple[float, float, float]:
        value = chance.random()
        return value, value, 0

    level = replace(EXPERT_1, judge=judge)
    found = [rate(level, opening, acquire.legal_moves(opening)[0], seed) for seed in range(40)]
    lost = [rating.best.chance - rating.played.chance for rating in found]
    # One of six exceeds one standard error by chance; all the others must count as equal.
    assert sum(loss == 0 for loss in lost) >= 25
    assert min(lost) >= 0


def test_rating_out_of_time_still_compares(opening: State) -> None:
    seen = seen_in(opening)
    for played in seen.legal:
        found = EXPERT_1.rate(seen, seen.legal, played, Random(1), lambda: True)
        assert found.played.tries in (1, MIN_TRIES)


def test_expert_play_is_rated_higher_than_random_play() -> None:
    """Expert finds smaller losses in expert play than in random play."""
    lost = {}
    for level in ("random", "expert"):
        rng = Random(3)
        state = acquire.deal(Rules(), 3, bytes(32))
        lost[level] = 0.0
        for _ in range(60):
            seen = seen_in(state)
            move = BOTS["acquire"][level].choose(seen, seen.legal, rng)
            if len(seen.legal) > 1:
                found = QUICK.rate(seen, seen.legal, move, rng)
                lost[level] += found.best.chance - found.played.chance
            acquire.apply(state, move)
    assert lost["expert"] < lost["random"] / 3


def test_acquisition_rating_follows_both_moves() -> None:
    state = built({"S": "b4", "C": "b3", "B": "k5", "G": "h9"}, seats=4)
    seen = acquisition.observe(state, state.decision.seat, memory=True)
    good, bad = acquisition.parse_move("place b2"), acquisition.parse_move("place l12")
    found = FAR_SIGHTED.rate(seen, seen.legal, bad, Random(1))
    assert found is not None
    assert found.best.chance > found.played.chance
    assert sum(found.chances) == pytest.approx(1)
    assert found.chances[seen.decision.seat] == pytest.approx(found.played.chance)
    again = FAR_SIGHTED.rate(seen, seen.legal, good, Random(1))
    assert again is not None
    assert again.played.chance > found.played.chance


def test_acquisition_does_not_rate_parks_or_without_time() -> None:
    state = built(parks="")
    seen = acquisition.observe(state, state.decision.seat, memory=True)
    assert FAR_SIGHTED.rate(seen, seen.legal, seen.legal[0], Random(1)) is None
    state = built({"S": "b4", "C": "b3"}, seats=3)
    seen = acquisition.observe(state, state.decision.seat, memory=True)
    assert FAR_SIGHTED.rate(seen, seen.legal, seen.legal[0], Random(1), lambda: True) is None
