"""What the end of a game leaves to be read: for ratings, records and sums. Who reads it is `rating`."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from games.models import Game, Outcome

from . import hints


def mark(game: Game) -> None:
    """Note in the transaction that changes it that a game that is over is to be read, or read anew.

    Practice tables count for nothing.
    """
    if game.practice or game.finished is None or not game.is_finished:
        return
    now = timezone.now()
    fixed = {"system": game.system, "players": game.taken, "finished": game.finished}
    Outcome.objects.update_or_create(game=game, defaults={"due": now}, create_defaults={**fixed, "due": now})
    transaction.on_commit(partial(hints.ask_counting), robust=True)
