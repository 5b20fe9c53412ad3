"""Training of the valuation."""

import numpy as np
import pytest

from games.engine.bots.acquire import rollout_policy
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.network import outputs
from games.engine.bots.acquire.self_play import PlayedGame, play_game
from games.engine.bots.acquire.valuation import Valuation
from games.engine.bots.acquire.valuation_training import (
    LAMBDA,
    MONEY_PART,
    Positions,
    Training,
    beginning,
    chances,
    held_out_figures,
    log_loss,
    packed,
    positions_of,
    td_targets,
)
from games.engine.bots.acquire.valuation_weights import Weights


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    return [play_game(1, number, rollout_policy.choose) for number in range(12)]


@pytest.fixture(scope="module")
def positions(games: list[PlayedGame]) -> Positions:
    return positions_of(games)


def training(positions: Positions, *, linear: bool = False) -> Training:
    return Training(positions, positions.chance, positions.money, seed=1, stage=1, epochs=2, linear=linear)


def test_positions_tell_how_their_game_ended(games: list[PlayedGame], positions: Positions) -> None:
    *_, final = games[0].positions()
    first = slice(0, games[0].seats)
    mean = sum(final.cash) / len(final.cash)
    assert positions.chance[first].tolist() == [float(dollars == max(final.cash)) for dollars in final.cash]
    assert positions.money[first].tolist() == pytest.approx([(own - mean) / 10_000 for own in final.cash])


def test_positions_have_a_row_for_each_seat(positions: Positions) -> None:
    assert len(positions.rows) == positions.seats.sum() == len(positions.chance) == len(positions.money)
    rows, begins = positions.rows_of(np.array([3, 0]))
    assert rows[: positions.seats[3]].tolist() == [
        positions.starts[3] + seat for seat in range(positions.seats[3])
    ]
    assert begins.tolist() == [0, positions.seats[3]]


def test_no_game_is_both_trained_on_and_held_out(positions: Positions) -> None:
    held_out = set(positions.games[positions.held_out()])
    trained = set(positions.games[positions.for_training()])
    assert held_out == {10}
    assert trained == set(range(12)) - {10}


def test_chances_add_up_to_one_at_each_table(positions: Positions) -> None:
    numbers = np.arange(len(positions.seats))
    _, begins = positions.rows_of(numbers)
    found = chances(positions.rows[:, 0].astype(float), begins, positions.seats)
    assert np.add.reduceat(found, begins) == pytest.approx(np.ones(len(numbers)))


def test_slopes_are_those_of_the_loss(positions: Positions) -> None:
    """Compare some slopes with the change of the loss."""
    trained = training(positions)
    batch = positions.for_training()[:40]
    rows, begins = positions.rows_of(batch)

    def loss() -> float:
        scores, _ = outputs(trained.arrays, positions.rows[rows].astype(float))
        found = chances(scores[:, 0], begins, positions.seats[batch])
        error = ((scores[:, 1] - positions.money[rows]) ** 2).sum() / 2 / len(batch)
        return float(log_loss(found, positions.chance[rows], len(batch)) + MONEY_PART * error)

    slopes = trained._slopes(batch)
    for name, place in (("skip", (10, 0)), ("skip", (10, 1)), ("hidden", (10, 3)), ("output", (3, 0))):
        array = trained.arrays[name]
        array[place] += 1e-5
        more = loss()
        array[place] -= 2e-5
        less = loss()
        array[place] += 1e-5
        assert slopes[name][place] == pytest.approx((more - less) / 2e-5, rel=1e-3, abs=1e-6)


def test_training_fits_its_games_better(positions: Positions) -> None:
    numbers = positions.for_training()
    trained = training(positions)
    before = held_out_figures(trained.arrays, positions, numbers)["log_loss"]
    trained.run_epoch()
    trained.run_epoch()
    assert held_out_figures(trained.arrays, positions, numbers)["log_loss"] < before


@pytest.mark.parametrize("linear", [False, True])
def test_interrupted_training_ends_with_the_same_weights(positions: Positions, linear: bool) -> None:
    whole, half, resumed = (training(positions, linear=linear) for _ in range(3))
    whole.run_epoch()
    whole.run_epoch()
    half.run_epoch()
    resumed.restore(half.stored())
    resumed.run_epoch()
    assert resumed.epoch == whole.epoch == 2
    assert all((resumed.arrays[name] == whole.arrays[name]).all() for name in whole.arrays)


def test_targets_mix_the_next_judgement_and_what_follows(positions: Positions) -> None:
    arrays = beginning(1, linear=True)
    chance, money = td_targets(arrays, positions)
    last = int(np.flatnonzero(positions.games == 0)[-1])
    ends = positions.starts[last]
    seats = positions.seats[last]
    assert chance[ends : ends + seats].tolist() == positions.chance[ends : ends + seats].tolist()
    before = slice(positions.starts[last - 1], positions.starts[last - 1] + seats)
    judged = positions.rows[ends : ends + seats].astype(float) @ arrays["skip"][:, 0]
    odds = np.exp(judged - judged.max())
    expected = (1 - LAMBDA) * odds / odds.sum() + LAMBDA * positions.chance[before]
    assert chance[before].tolist() == pytest.approx(expected.tolist())
    assert money[before].tolist() == pytest.approx((LAMBDA * positions.money[before]).tolist())


def test_packed_weights_judge_as_the_trained_arrays(games: list[PlayedGame], positions: Positions) -> None:
    trained = training(positions)
    trained.run_epoch()
    linear = beginning(1, linear=True)
    judge = Valuation(Weights(packed(trained.arrays, linear), {}))
    first = next(games[0].positions())
    seats = games[0].seats
    scores, _ = outputs(trained.arrays, positions.rows[:seats].astype(float))
    expected = chances(scores[:, 0], np.array([0]), np.array([seats]))
    leads = [10_000 * (scores[seat, 1] - np.delete(scores[:, 1], seat).max()) for seat in range(seats)]
    payments = payments_for(first.rules, seats)
    found = [judge.judge([first], seat, payments)[0] for seat in range(seats)]
    assert [chance for _, chance, _ in found] == pytest.approx([*expected], abs=1e-5)
    assert [lead for _, _, lead in found] == pytest.approx(leads, abs=1)
