"""Warnings about open games that nobody starts, and their closing."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.models import Game
from games.notifications import notify
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks

WARN_AFTER = timedelta(days=7)
CLOSE_AFTER = timedelta(days=14)


@transaction.atomic
def warn_host(*, game_id: int) -> None:
    """Warn the host, once, that a game open for a week will be closed; does nothing before."""
    game = lock_game(game_id)
    now = timezone.now()
    if game.is_open and game.close_warning_at is None and game.opened <= now - WARN_AFTER:
        game.close_warning_at = now
        game.save(update_fields=["close_warning_at"])
        notify.notify_closing(game)


@transaction.atomic
def close_stale(*, game_id: int) -> None:
    """Close a game that nobody started in two weeks; does nothing before."""
    game = lock_game(game_id)
    if game.is_open and game.opened <= timezone.now() - CLOSE_AFTER:
        close_game(game)
        notify.notify_closed(game)
        schedule_ticks(game)


def close_game(game: Game, *, by_moderator: bool = False) -> None:
    """Close a locked open game; notifies nobody."""
    game.status = Game.Status.CLOSED
    game.finished = game.last_change_at = timezone.now()
    game.paused = game.held_at = game.ready_by = None
    game.ended_by_moderator = by_moderator
    game.save(
        update_fields=[
            *("status", "finished", "last_change_at", "ready_by"),
            *("paused", "held_at", "ended_by_moderator"),
        ]
    )
    game.seats.update(ended=game.finished)
