"""What the page of a member in the admin says of games."""

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.moderation import member_games
from games.web.text.game_titles import title

Lines = list[tuple[str, str]]


def tables(user: User) -> list[tuple[str, Lines]]:
    """The unfinished games of the member, each with its page in the admin."""
    lines = [
        (
            f"{title(game)} ({game.get_status_display()})",
            reverse("admin:games_game_change", args=[game.pk]),
        )
        for game in member_games.unfinished_games_of(user)
    ]
    return [(_("Games"), lines or [(_("Sits at no table just now."), "")])]
