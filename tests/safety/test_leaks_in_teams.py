"""A whole game of two teams of people: nobody learns what a partner has in hand."""

import pytest

from tests.safety.leaks import twin_games
from tests.support.leak_games import whole_game

pytestmark = [pytest.mark.django_db, pytest.mark.proof]

FOUR_PEOPLE = 26


def test_whole_team_game_leaks_nothing() -> None:
    script = twin_games.script(FOUR_PEOPLE)
    assert (script.people, script.seats, script.teams) == (4, 4, "two")
    counts = whole_game(FOUR_PEOPLE).counts
    assert counts["comparisons"] > 1000 and counts["moves made twice"] > 20
