"""Work that follows the end of a game: counting its result and beginning its game review.

The result is final after some time. Until then a moderator can reopen the game, which undoes this work.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.engine.bots.bot_levels import move_rater
from games.models import Exploration, Game, GameOutcome, GameReview, MoveAssessment
from games.models.game_review import EDITION
from games.realtime import worker_queue

# Long enough for players in every time zone to see the end and to report a mistake, and for a moderator to
# look at it. Later others would have built on the result.
RESULT_FINAL_AFTER: Final = timedelta(hours=24)


def result_final_at(game: Game) -> datetime:
    """The time at which the result of a finished game is final."""
    assert game.finished is not None
    return game.finished + RESULT_FINAL_AFTER


def mark_result_due(game: Game) -> None:
    """Mark the result of a finished game as due to be counted or recounted; not at a practice table.

    Call it in the transaction that ends or changes the game.
    """
    if game.is_practice or game.finished is None or not game.is_finished:
        return
    now = timezone.now()
    fixed = {"system": game.system, "players": game.seats_taken, "finished": game.finished}
    fixed["teams"] = [list(team) for team in game.teams]
    GameOutcome.objects.update_or_create(
        game=game, defaults={"due": now}, create_defaults={**fixed, "due": now}
    )
    transaction.on_commit(partial(worker_queue.request_result_count), robust=True)


def begin_review(game: Game) -> None:
    """Begin the game review of a finished game: create its row and, after the commit, request a worker.

    A complete review of an earlier edition begins anew; what it tells stays until it is replaced.
    """
    if not game.is_finished or move_rater(game.system) is None:
        return
    _review, is_new = GameReview.objects.get_or_create(game=game)
    old = GameReview.objects.filter(game=game, edition__lt=EDITION, done__isnull=False)
    anew = {"edition": EDITION, "rated": 0, "tried": 0, "done": None, "counted": None}
    if is_new or old.update(touched=timezone.now(), **anew):
        transaction.on_commit(partial(worker_queue.request_assessment, game.pk), robust=True)


def withdraw_result(game: Game) -> None:
    """Withdraw what followed the end of a game that has been reopened.

    Its ratings, records and results are undone like those of a game that does not count any more. Its review
    and the explorations of it go at once; a worker that is at the review finds nothing to save. Call it in
    the transaction that reopens the game, after the game is saved and its decisions are out of the insights.
    """
    GameOutcome.objects.filter(game=game).update(due=timezone.now())
    transaction.on_commit(partial(worker_queue.request_result_count), robust=True)
    # The review first: a worker that saves assessments or counts its decisions has locked it.
    GameReview.objects.filter(game=game).delete()
    MoveAssessment.objects.filter(game=game).delete()
    Exploration.objects.filter(game=game).delete()
