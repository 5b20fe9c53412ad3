"""Which games may be asked about in a puzzle: those that everybody may look at from beginning to end."""

from typing import Any

from django.db.models import Q, QuerySet

from games.models import Game, Puzzle
from games.models.playable_systems import withheld_systems


def _public(before: str = "") -> Q:
    """That a game is over, public and nobody's practice; `before` leads to it from another table."""
    wanted: dict[str, Any] = {
        "status": Game.Status.FINISHED,
        "visibility": Game.Visibility.PUBLIC,
        "is_practice": False,
        "deleted": None,
    }
    return Q(**{f"{before}{field}": value for field, value in wanted.items()})


def public_games() -> QuerySet[Game]:
    """Games in which puzzles may be looked for, the latest first."""
    return Game.objects.filter(_public()).order_by("-finished", "-pk")


def visible_puzzles() -> QuerySet[Puzzle]:
    """The puzzles that may be shown now, whatever their day.

    A game that is hidden or deleted, or that goes on, takes its puzzle along.
    """
    ours = Q(source__game=None)
    return Puzzle.objects.filter(ours | _public("source__game__")).exclude(
        source__system__in=withheld_systems()
    )
