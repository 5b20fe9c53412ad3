"""The integrity check finds no fault after a moderator gave a game time."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.models import Game
from games.moderation.integrity_check import examine
from tests.moderation.actions.conftest import act, again
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": DAY}), 4)


@pytest.mark.parametrize(
    "deeds",
    [
        [("more-time", {"hours": 48})],
        [("pause", {}), ("resume", {})],
        [("delete", {}), ("restore", {})],
        [("roll-back", {"entry": 1})],
    ],
    ids=lambda deeds: deeds[-1][0],
)
def test_game_that_was_given_time_has_no_faults(
    deeds: list[tuple[str, dict[str, Any]]], game: Game, mona: User
) -> None:
    for hours, (name, values) in enumerate(deeds):
        with time_machine.travel(timezone.now() + timedelta(hours=20 * hours), tick=False):
            act(name, game, mona, **values)
            found = examine(again(game), timezone.now()) if name == deeds[-1][0] else []
    assert found == []
