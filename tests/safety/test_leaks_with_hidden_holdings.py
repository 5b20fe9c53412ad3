"""A whole game in which cash and shares are hidden, too."""

import pytest

from tests.support.leak_games import whole_game

pytestmark = [pytest.mark.django_db, pytest.mark.proof]


def test_no_byte_and_no_label_of_what_is_hidden_reaches_anybody_where_holdings_are_hidden() -> None:
    counts = whole_game(1).counts
    assert counts["comparisons"] > 1000 and counts["moves made twice"] > 20
