"""Games that are paused because their rule system is withheld, for their players."""

from typing import Any

from django.db.models import QuerySet

from games.models import Game, Seat
from games.models.playable_systems import withheld_systems


def paused_games(user: Any) -> QuerySet[Game]:
    """The user's games of withheld rule systems, finished ones included, the latest change first."""
    out = withheld_systems()
    if not out or not user.is_authenticated:
        return Game.all_games.none()
    # A union of keys, so that each part uses an index by user.
    seated = Seat.objects.filter(user=user.pk).order_by().values("game")
    mine = seated.union(Game.all_games.filter(host=user.pk, is_practice=True).values("pk"))
    return Game.all_games.filter(pk__in=mine, system__in=out, deleted=None).order_by("-last_change_at", "-pk")


def paused_game(public_id: str, user: Any) -> Game | None:
    """The one of `paused_games` with this id, or None."""
    return paused_games(user).filter(public_id=public_id).first()
