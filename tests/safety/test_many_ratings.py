"""Ten thousand rated games, counted in batches and out of order, give the same ratings as in order.

A minute and a half on SQLite: some forty thousand times a game is counted, as each that is known late or
counts no more takes back all that came after it.
"""

from random import Random

import pytest
from django.db import connection

from accounts.models import User
from games.models import RatingChange
from tests.support.finished_games import users
from tests.support.proof import few_or_many
from tests.support.rating_history import all_ratings, counted_bit_by_bit, from_the_beginning, played

pytestmark = pytest.mark.django_db

PEOPLE, MAX_AT_ONCE = 300, 200


@pytest.mark.parametrize("count", few_or_many(1_000, 10_000))
def test_ratings_of_many_games_equal_those_from_the_beginning(count: int) -> None:
    if connection.vendor == "postgresql":
        # Check foreign keys as rows come, not all at once at the end of the test.
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    rng = Random(2026)
    host = User.objects.create_user("host")
    games = played(rng, host, count, users(PEOPLE))
    counted_bit_by_bit(rng, games, MAX_AT_ONCE)
    known = all_ratings()
    assert RatingChange.objects.count() > 8 * count
    assert known == from_the_beginning()
