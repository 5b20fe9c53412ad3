"""Games with a chat, and a clock."""

from collections.abc import Iterator

import pytest
import time_machine

from accounts.models import User
from games.models import Game
from tests.notifications.conftest import NOON
from tests.support.games import NewGame


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, "random", preset="course")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands at noon until it is shifted."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller
