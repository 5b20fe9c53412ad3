"""Moves that computers could not make, kept so that somebody can look after them."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import BotFailure, Game

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)

# In the place of an error that nobody was there to raise.
LOST = "WorkerLost"


def record_failure(game: Game, level: str, error: str) -> None:
    """Note that a computer of this level failed in a game that asks a seat; `error` is the name of a type.

    Never raises: a game that has its troubles shall not have more for being looked after.
    """
    assert game.seat_to_move is not None
    at = {"game_id": game.pk, "version": game.version, "level": level}
    values = {"error": error[:100], "last": timezone.now()}
    try:
        with transaction.atomic():
            if not BotFailure.objects.filter(**at).update(times=F("times") + 1, **values):
                BotFailure.objects.create(seat=game.seat_to_move, **at, **values)
    except Exception:
        log.exception("That %s failed in game %s could not be noted", level, game)


def record_lost_task(game_id: int, version: int) -> None:
    """Note that a worker ended over the move of a computer, unless the game has moved on since."""
    game = Game.objects.filter(pk=game_id, version=version, bot_due_at__isnull=False).first()
    if game is not None and game.seat_to_move is not None:
        record_failure(game, game.seats.get(number=game.seat_to_move).bot_level, LOST)


def clear(game: Game) -> int:
    """Forget what failed in a game, as somebody has looked after it; returns how much there was."""
    return BotFailure.objects.filter(game=game).delete()[0]


def delete_old_failures(now: datetime) -> dict[str, int]:
    """Forget what failed long ago."""
    return {"failures of computers": BotFailure.objects.filter(last__lt=now - KEPT).delete()[0]}
