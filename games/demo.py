"""Games to look at on a new site."""

from django.contrib.auth import get_user_model

from games.rules import SYSTEMS
from games.services import start_game

SYSTEM = "acquire"


def create_demo_games() -> None:
    """One game of the administrator against three computers for each set of rules."""
    admin = get_user_model().objects.filter(is_superuser=True).earliest("pk")
    for preset in SYSTEMS[SYSTEM].PRESETS:
        start_game(system=SYSTEM, preset=preset, host=admin, players=[admin, "medium", "medium", "random"])
