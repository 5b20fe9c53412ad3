"""Saved choices for new games."""

from typing import Any

from accounts.models import User
from games.models import NewGameDefaults


def remember_choices(user: User, new_game: dict[str, Any]) -> None:
    """Save the user's choices for a new game as defaults for the next one."""
    NewGameDefaults.objects.update_or_create(user=user, defaults={"new_game": new_game})
