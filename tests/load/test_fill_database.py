"""The games that `make load ONLY=scale` stores are those of a real site."""

from random import Random

import pytest
from django.db import connection

from accounts.models import User
from games.models import Game, LogEntry
from tests.load.fill_database import faults, fill

pytestmark = pytest.mark.django_db


def test_stored_games_replay_to_what_is_stored() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("COPY is a command of PostgreSQL")
    members = [User.objects.create_user(f"member{number}") for number in range(8)]
    # The first twenty are open, the next sixty are in the middle.
    moves = fill(84, members[1:], members[0], Random(1))
    assert Game.all_games.count() == 84
    assert LogEntry.objects.count() == moves > 1000
    assert [*faults(5)] == []
