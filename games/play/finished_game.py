"""Mark what is to be done after the end of a game: count its result, begin its game review."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from games.engine.bots.bot_levels import move_rater
from games.models import Game, GameOutcome, GameReview
from games.realtime import worker_queue


def mark_result_due(game: Game) -> None:
    """Mark the result of a finished game as due to be counted or recounted; not at a practice table.

    Call it in the transaction that ends or changes the game.
    """
    if game.is_practice or game.finished is None or not game.is_finished:
        return
    now = timezone.now()
    fixed = {"system": game.system, "players": game.seats_taken, "finished": game.finished}
    GameOutcome.objects.update_or_create(
        game=game, defaults={"due": now}, create_defaults={**fixed, "due": now}
    )
    transaction.on_commit(partial(worker_queue.request_result_count), robust=True)


def begin_report(game: Game) -> None:
    """Begin the game review of a finished game: create its row and, after the commit, request a worker."""
    if not game.is_finished or move_rater(game.system) is None:
        return
    _story, is_new = GameReview.objects.get_or_create(game=game)
    if is_new:
        transaction.on_commit(partial(worker_queue.request_assessment, game.pk), robust=True)
