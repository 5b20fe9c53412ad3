"""The live games that everybody may watch, the one with the best players first."""

from functools import partial
from typing import Final

from django.core.cache import cache
from django.db.models import Avg, FloatField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models.write_if_free import write_if_free
from games.models import Game, Rating
from games.models.game import MAX_LIVE_PACE
from games.ratings.rating_pools import rating_pool
from games.ratings.skill_model import MU

PAGE: Final = 9
# The order is kept for this time. A game that is over leaves at once.
_SECONDS: Final = 5
_KEY: Final = "live-games"


def live_games(page: int) -> tuple[list[Game], bool]:
    """The live games on this page, counted from 1, and whether there are more."""
    ranked = _ranked()
    wanted = _on_page(ranked, page)
    found = {game.public_id: game for game in watchable().filter(public_id__in=wanted)}
    return [found[public_id] for public_id in wanted if public_id in found], len(ranked) > PAGE * page


def watchable() -> QuerySet[Game]:
    """Public live games that are going on."""
    return Game.objects.filter(
        status=Game.Status.RUNNING,
        visibility=Game.Visibility.PUBLIC,
        seconds_per_move__lte=MAX_LIVE_PACE,
        paused=None,
    )


def ids_on_page(page: int) -> list[str]:
    """The public ids of the live games on this page, counted from 1."""
    return _on_page(_ranked(), page)


def _on_page(ranked: list[str], page: int) -> list[str]:
    return ranked[PAGE * (page - 1) : PAGE * page]


def _ranked() -> list[str]:
    """The public ids of all live games that can be watched, the highest mean rating first, from a cache.

    Team games have the ratings for team games. Seats without a rating count as those of new members. Of equal
    games the latest is first.
    """
    kept: list[str] | None = cache.get(_KEY)
    if kept is not None:
        return kept
    known = Rating.objects.filter(
        user=OuterRef("seats__user"), system=OuterRef("system"), month="", players=OuterRef("pool")
    )
    mu = Coalesce(Subquery(known.values("mu")), Value(MU), output_field=FloatField())
    ranked = watchable().alias(pool=rating_pool()).annotate(strength=Avg(mu))
    ranked = ranked.order_by("-strength", "-started", "-pk")
    found = list(ranked.values_list("public_id", flat=True))
    # An empty list is quickly found, and the first game of an evening should not wait.
    if found:
        write_if_free(partial(cache.set, _KEY, found, _SECONDS))
    return found
