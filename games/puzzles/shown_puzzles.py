"""Games that may become puzzles: those that everybody may view from beginning to end."""

from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Game, Puzzle
from games.models.playable_systems import withheld_systems
from games.play.finished_game import RESULT_FINAL_AFTER


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
    """Games that may be searched for puzzles, the latest first: nobody can reopen them any more."""
    final = timezone.now() - RESULT_FINAL_AFTER
    return Game.objects.filter(_public(), finished__lte=final).order_by("-finished", "-pk")


def visible_puzzles() -> QuerySet[Puzzle]:
    """The puzzles that may be shown now, of any day.

    Those whose game is hidden, deleted or resumed are left out.
    """
    ours = Q(source__game=None)
    return Puzzle.objects.filter(ours | _public("source__game__")).exclude(
        source__system__in=withheld_systems()
    )
