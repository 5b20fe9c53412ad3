"""Learned weights: linear between knots, and plausible."""

from dataclasses import astuple
from itertools import chain, pairwise

import pytest

from games.engine.bots.acquire.linear_weights import KNOTS, WEIGHTS, Weights
from games.engine.rules.acquire.chains import END_SIZE


def numbers(weights: Weights) -> list[float]:
    return [
        *chain.from_iterable(value if isinstance(value, tuple) else (value,) for value in astuple(weights))
    ]


# By weight, its values by the size of the largest chain.
LINES = [*zip(*map(numbers, WEIGHTS), strict=True)]
PROGRESS = [size / END_SIZE for size in range(END_SIZE + 1)]


def test_weights_cover_every_size() -> None:
    assert len(WEIGHTS) == END_SIZE + 1
    assert KNOTS[0] == 0
    assert [*KNOTS] == sorted(KNOTS)
    assert KNOTS[-1] < 1


def slope(line: tuple[float, ...], size: int) -> float:
    return line[size + 1] - line[size]


@pytest.mark.parametrize(("start", "end"), [*pairwise(KNOTS)])
def test_weights_are_linear_between_knots(start: float, end: float) -> None:
    inside = [size for size, progress in enumerate(PROGRESS) if start <= progress < end]
    for line in LINES:
        slopes = [slope(line, size) for size in inside[:-1]]
        assert slopes == pytest.approx([slopes[0]] * len(slopes))


def test_weights_do_not_jump_at_knots() -> None:
    """The step across a knot is at most as steep as the steeper of both lines."""
    for knot in KNOTS[1:]:
        step = max(size for size, progress in enumerate(PROGRESS) if progress < knot)
        for line in LINES:
            steepest = max(abs(slope(line, step - 1)), abs(slope(line, step + 1)))
            assert abs(slope(line, step)) <= steepest + 1e-9


def test_weights_are_constant_after_last_knot() -> None:
    late = {weights for weights, progress in zip(WEIGHTS, PROGRESS, strict=True) if progress >= KNOTS[-1]}
    assert len(late) == 1


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weight_of_money_is_positive(weights: Weights) -> None:
    assert weights.cash > 0
    assert weights.cash + weights.first_3000 > 0
    assert weights.cash + weights.first_3000 + weights.first_1000 > 0
