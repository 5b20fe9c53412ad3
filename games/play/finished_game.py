"""What the end of a game leaves to be done: two rows that ratings and analysis find later."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from games.engine.bots.bot_levels import move_rater
from games.models import Game, GameOutcome, GameReview
from games.realtime import worker_queue


def mark_result_due(game: Game) -> None:
    """Mark that the result of a finished game must be counted, or counted anew; not at a practice table.

    Belongs into the transaction that ends or changes the game.
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
    """Begin the review of a finished game: a row, and after the commit a request to a worker."""
    if not game.is_finished or move_rater(game.system) is None:
        return
    _story, is_new = GameReview.objects.get_or_create(game=game)
    if is_new:
        transaction.on_commit(partial(worker_queue.request_assessment, game.pk), robust=True)
