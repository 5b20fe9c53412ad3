"""Games that a new site shows."""

import pytest

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.demo_games import create_demo_games
from games.models import Game

pytestmark = pytest.mark.django_db


def test_administrator_has_game_of_each_preset() -> None:
    admin = User.objects.create_superuser("admin")
    create_demo_games()
    presets = {(system, preset) for system, rules in SYSTEMS.items() for preset in rules.PRESETS}
    assert set(Game.objects.values_list("system", "preset")) == presets
    assert all(game.seats.filter(user=admin).exists() for game in Game.objects.all())
