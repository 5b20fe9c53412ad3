"""Moves that computers could not make, kept so that somebody can look after them."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import Failure, Game

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)

# In the place of an error that nobody was there to raise.
LOST = "WorkerLost"


def note(game: Game, level: str, error: str) -> None:
    """Note that a computer of this level failed in a game that asks a seat; `error` is the name of a type.

    Never raises: a game that has its troubles shall not have more for being looked after.
    """
    assert game.decider is not None
    at = {"game_id": game.pk, "version": game.version, "level": level}
    values = {"error": error[:100], "last": timezone.now()}
    try:
        with transaction.atomic():
            if not Failure.objects.filter(**at).update(times=F("times") + 1, **values):
                Failure.objects.create(seat=game.decider, **at, **values)
    except Exception:
        log.exception("That %s failed in game %s could not be noted", level, game)


def note_lost(game_id: int, version: int) -> None:
    """Note that a worker ended over the move of a computer, unless the game has moved on since."""
    game = Game.objects.filter(pk=game_id, version=version, due__isnull=False).first()
    if game is not None and game.decider is not None:
        note(game, game.seats.get(number=game.decider).computer, LOST)


def clear(game: Game) -> int:
    """Forget what failed in a game, as somebody has looked after it; returns how much there was."""
    return Failure.objects.filter(game=game).delete()[0]


def throw_away(now: datetime) -> dict[str, int]:
    """Forget what failed long ago."""
    return {"failures of computers": Failure.objects.filter(last__lt=now - KEPT).delete()[0]}
