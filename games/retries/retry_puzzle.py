"""Mistakes as puzzles: the same position, question and answers, but for one member."""

from django.db.models import QuerySet

from accounts.models import User
from games.models import Game, Mistake, Puzzle, PuzzleSource
from games.models.playable_systems import withheld_systems


def mistakes_of(user: User) -> QuerySet[Mistake]:
    """The member's mistakes that can be retried: searched, and of finished games that are not deleted."""
    return (
        Mistake.objects.filter(
            user=user,
            estimates__isnull=False,
            decision__review__game__status=Game.Status.FINISHED,
            decision__review__game__deleted=None,
        )
        .exclude(decision__system__in=withheld_systems())
        .select_related("decision__review__game")
        .defer("decision__review__game__state")
    )


def retry_puzzle(mistake: Mistake) -> Puzzle:
    """The mistake as a puzzle, which is not stored."""
    game = mistake.decision.review.game
    return Puzzle(
        source=PuzzleSource(game=game, system=game.system),
        number=mistake.decision.number,
        seat=mistake.seat,
        seats=game.seats_taken,
        kind=mistake.kind,
        best=mistake.best,
        estimates=mistake.estimates or [],
    )
