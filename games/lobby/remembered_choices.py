"""What the site remembers of how a user likes to play."""

from typing import Any

from accounts.models import User
from games.models import NewGameDefaults


def remember_choices(user: User, new_game: dict[str, Any]) -> None:
    """Keep what the user chose for a new game, for the next one."""
    NewGameDefaults.objects.update_or_create(user=user, defaults={"new_game": new_game})
