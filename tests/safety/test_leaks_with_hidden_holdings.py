"""A whole game with hidden cash and shares."""

import pytest

from tests.support.leak_games import whole_game

pytestmark = [pytest.mark.django_db, pytest.mark.proof]


def test_whole_game_with_hidden_holdings_leaks_nothing() -> None:
    counts = whole_game(1).counts
    assert counts["comparisons"] > 1000 and counts["moves made twice"] > 20
