"""The sequential test of strength."""

from random import Random

import pytest

from games.engine.bots.arena.sequential_test import SequentialTest

TEST = SequentialTest(equal=0.25, better=0.32)


def verdict_of(share: float, chance: Random, most: int = 3000) -> bool | None:
    """The verdict on a player who wins this share of its games."""
    wins = 0
    for games in range(1, most + 1):
        wins += chance.random() < share
        if (found := TEST.verdict(wins, games)) is not None:
            return found
    return None


def test_few_games_give_no_verdict() -> None:
    assert TEST.verdict(0, 0) is None
    assert TEST.verdict(3, 5) is None


@pytest.mark.parametrize(("wins", "stronger"), [(90, True), (40, False)])
def test_many_games_give_a_verdict(wins: float, stronger: bool) -> None:
    assert TEST.verdict(wins, 200) is stronger


def test_shared_wins_count_in_part() -> None:
    assert TEST.verdict(58, 200) is None
    assert TEST.verdict(80.5, 200) is True


@pytest.mark.parametrize(("share", "stronger"), [(0.25, False), (0.32, True)])
def test_verdict_is_seldom_wrong(share: float, stronger: bool) -> None:
    verdicts = [verdict_of(share, Random(number)) for number in range(300)]
    assert verdicts.count(not stronger) <= 0.08 * len(verdicts)
    assert verdicts.count(stronger) >= 0.9 * len(verdicts)
