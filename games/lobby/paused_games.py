"""Games that are paused because their system may not be played here, for those who play them."""

from typing import Any

from django.db.models import QuerySet

from games.models import Game, Seat
from games.models.playable_systems import withheld_systems


def paused_games(user: Any) -> QuerySet[Game]:
    """The user's games that are not shown for now, the latest news first; those that are over among them."""
    out = withheld_systems()
    if not out or not user.is_authenticated:
        return Game.all_games.none()
    # Together by their keys, each found through an index of the user's.
    seated = Seat.objects.filter(user=user.pk).order_by().values("game")
    mine = seated.union(Game.all_games.filter(host=user.pk, is_practice=True).values("pk"))
    return Game.all_games.filter(pk__in=mine, system__in=out, deleted=None).order_by("-last_change_at", "-pk")


def paused_game(public_id: str, user: Any) -> Game | None:
    """The one of them with this id; None for everybody else."""
    return paused_games(user).filter(public_id=public_id).first()
