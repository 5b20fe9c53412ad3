"""Games that may become puzzles: those that everybody may view from beginning to end."""

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Game, Puzzle
from games.models.playable_systems import withheld_systems


def _public(before: str = "") -> Q:
    """The condition that a game is over, public and no practice table; `before` prefixes its columns."""
    wanted: dict[str, Any] = {
        "status": Game.Status.FINISHED,
        "visibility": Game.Visibility.PUBLIC,
        "is_practice": False,
        "deleted": None,
    }
    return Q(**{f"{before}{field}": value for field, value in wanted.items()})


def public_games() -> QuerySet[Game]:
    """Games that may be searched for puzzles, the latest first."""
    return Game.objects.filter(_public()).order_by("-finished", "-pk")


def visible_puzzles() -> QuerySet[Puzzle]:
    """The puzzles that may be shown now, of any day.

    Those whose game is hidden, deleted or resumed are left out.
    """
    ours = Q(source__game=None)
    return Puzzle.objects.filter(ours | _public("source__game__")).exclude(
        source__system__in=withheld_systems()
    )
