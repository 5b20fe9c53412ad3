"""Sentences on what a finished game has changed in the ratings."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game
from games.ratings import leaderboards
from games.ratings.rated_places import Uncounted, counts_for, uncounted

WHY_UNCOUNTED: Final = {
    Uncounted.LEFT_ALONE: gettext_lazy(
        "No ratings changed. Only computer players were left as opponents, so the game was ended unrated."
    ),
    Uncounted.NO_RESULT: gettext_lazy("No ratings changed because the game ended without a result."),
    Uncounted.GUEST: gettext_lazy("No ratings changed because a guest played."),
    Uncounted.OWN_PROGRAM: gettext_lazy(
        "No ratings changed because a bot played against its owner, or against another bot of the same owner."
    ),
}


def signed(points: int) -> str:
    """Return points with their sign."""
    return f"−{-points}" if points < 0 else f"+{points}"


def change_for(game: Game, user_id: int) -> str:
    """Say how a finished rated game has changed this player's rating, or why it has not.

    "" for other games, and as long as the result is not counted.
    """
    if not game.rated or game.is_practice:
        return ""
    change = next((one for one in leaderboards.changes_by(game) if one.user_id == user_id), None)
    if change is not None:
        told = _("Your rating went from {before} to {after} ({by}).")
        if change.by == 0:
            told = _("Your rating stayed at {after}.")
        return told.format(before=change.before, after=change.points, by=signed(change.by))
    if why := uncounted(game, list(game.seats.select_related("user"))):
        return str(WHY_UNCOUNTED[why])
    return "" if counts_for(game, user_id) else _("This game does not change your rating.")
