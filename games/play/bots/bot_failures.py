"""Record of the moves that bots failed to make, kept for staff."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import BotFailure, Game

logger = logging.getLogger(__name__)

MAX_AGE = timedelta(days=30)

# Stands for the name of an error when the worker ended without raising one.
LOST = "WorkerLost"


def record_failure(game: Game, level: str, error: str) -> None:
    """Record that a bot of this level failed in a game; `error` is the name of an exception class.

    Never raises: recording a failure must not cause another one.
    """
    assert game.seat_to_move is not None
    at = {"game_id": game.pk, "version": game.version, "level": level}
    values = {"error": error[:100], "last": timezone.now()}
    try:
        with transaction.atomic():
            if not BotFailure.objects.filter(**at).update(times=F("times") + 1, **values):
                BotFailure.objects.create(seat=game.seat_to_move, **at, **values)
    except Exception:
        logger.exception("That %s failed in game %s could not be noted", level, game)


def record_lost_task(game_id: int, version: int) -> None:
    """Record that a worker ended during a bot's move, unless the game has moved on since."""
    game = Game.objects.filter(pk=game_id, version=version, bot_due_at__isnull=False).first()
    if game is not None and game.seat_to_move is not None:
        record_failure(game, game.seats.get(number=game.seat_to_move).bot_level, LOST)


def clear(game: Game) -> int:
    """Delete the failures of a game that staff has dealt with; return how many there were."""
    return BotFailure.objects.filter(game=game).delete()[0]


def delete_old_failures(now: datetime) -> dict[str, int]:
    """Delete failures that are older than `MAX_AGE`."""
    return {"computer player failures": BotFailure.objects.filter(last__lt=now - MAX_AGE).delete()[0]}
