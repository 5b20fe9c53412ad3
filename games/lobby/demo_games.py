"""Demo games for a new site."""

from django.contrib.auth import get_user_model

from games.lobby.game_start import start_game
from games.models.playable_systems import playable_systems


def create_demo_games() -> None:
    """Start a game of the administrator against three bots for each preset of every playable system."""
    admin = get_user_model().objects.filter(is_superuser=True).earliest("pk")
    for system, rules in playable_systems().items():
        for preset in rules.PRESETS:
            start_game(
                system=system, preset=preset, host=admin, players=[admin, "medium", "medium", "random"]
            )
