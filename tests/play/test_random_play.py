"""Whole games in which people do anything a table allows: each ends, and its log leads there."""

from contextlib import suppress
from typing import Any

import pytest

from accounts.models import User
from games.archive.replay import replay
from games.play.automation.standing_orders import save_order
from games.refusals import NoStandingOrders
from tests.support.games import NewGame
from tests.support.random_play import Chance, kinds, play_anything

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PRESETS = ["avalon-hill", "classic"]


def test_games_with_random_actions_end_and_replay(
    clock: Any, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    outsiders = [User.objects.create_user(name) for name in ("dave", "erin")]
    happened: set[str] = set()
    for number, preset in enumerate(PRESETS):
        chance = Chance(preset, [alice, bob, carol], outsiders, clock)
        overrun = ["take", "vote"][number]
        terms = {"skips": bool(number), "pace": 86400, "overrun": overrun}
        game = start(alice, bob, carol, preset=preset, terms=terms)
        for user in (alice, bob, carol):
            with suppress(NoStandingOrders):
                save_order(game_id=game.pk, by=user, terms={}, once=False)
        game = play_anything(game, chance)
        assert game.is_finished
        assert replay(game).faults == []
        assert list(game.moves.values_list("number", flat=True)) == list(range(1, game.version + 1))
        happened |= kinds(game)
    assert {"order", "plan", "back", "grace"} <= happened, happened
