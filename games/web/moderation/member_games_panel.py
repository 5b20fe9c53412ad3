"""The games of a member on their page in the admin."""

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.moderation import member_games
from games.web.text.game_titles import title

Lines = list[tuple[str, str]]


def tables(user: User) -> list[tuple[str, Lines]]:
    """The unfinished games of a member with their admin pages."""
    lines = [
        (
            f"{title(game)} ({game.get_status_display()})",
            reverse("admin:games_game_change", args=[game.pk]),
        )
        for game in member_games.unfinished_games_of(user)
    ]
    return [(_("Games"), lines or [(_("Sits at no table just now."), "")])]
