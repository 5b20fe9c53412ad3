"""The end of a game that never began."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.models import Game

from . import notifying
from .game_lock import lock_game
from .game_ticks import schedule_ticks

WARN_AFTER = timedelta(days=7)
CLOSE_AFTER = timedelta(days=14)


@transaction.atomic
def warn_of_closing(*, game_id: int) -> None:
    """Tell the host, once, that a game open for a week will be closed; too early nothing happens."""
    game = lock_game(game_id)
    now = timezone.now()
    if game.is_open and game.warned is None and game.opened <= now - WARN_AFTER:
        game.warned = now
        game.save(update_fields=["warned"])
        notifying.closing_soon(game)


@transaction.atomic
def close_stale(*, game_id: int) -> None:
    """Close a game that nobody started in two weeks; too early nothing happens."""
    game = lock_game(game_id)
    if game.is_open and game.opened <= timezone.now() - CLOSE_AFTER:
        close(game, "stale")
        schedule_ticks(game)


def close(game: Game, reason: str) -> None:
    """Close a locked open game. `reason` is "empty", "stale" or "overruled"."""
    game.status = Game.Status.CLOSED
    game.finished = game.moved = timezone.now()
    game.paused = game.held = None
    game.overruled = reason == "overruled"
    game.save(update_fields=["status", "finished", "moved", "paused", "held", "overruled"])
    notifying.game_closed(game, reason)
    game.seats.update(ended=game.finished)
