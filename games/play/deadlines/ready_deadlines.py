"""The time that players have to answer a ready check; like a live clock, it stands still without the site."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from games.clocks import game_clock
from games.models import Game
from games.play.game_lock import lock_paused_game
from games.play.game_ticks import schedule_ticks

READY_TIME: Final = timedelta(seconds=45)


def underway() -> QuerySet[Game]:
    """Open games whose players are asked whether they are ready."""
    return Game.objects.filter(ready_by__isnull=False, paused=None)


def overdue(seen_at: datetime) -> list[int]:
    """The keys of games whose check, with a round trip, was over while the site was there."""
    late = underway().filter(ready_by__lte=seen_at - game_clock.ROUND_TRIP).order_by("ready_by")
    return list(late.values_list("pk", flat=True))


def restore(since: datetime) -> None:
    """Give everyone who is asked the time that was left at `since`, in the caller's transaction."""
    for pk in underway().filter(ready_by__gt=since).order_by("pk").values_list("pk", flat=True):
        game = lock_paused_game(pk)
        if game.ready_by is not None:
            _set_left(game, min(game.ready_by - since, READY_TIME))


def restore_overdue(now: datetime) -> None:
    """Give everyone whose time ran out unseen the full time again, in the caller's transaction."""
    for pk in underway().filter(ready_by__lt=now).order_by("pk").values_list("pk", flat=True):
        game = lock_paused_game(pk)
        if game.ready_by is not None:
            _set_left(game, READY_TIME)


def _set_left(game: Game, left: timedelta) -> None:
    game.ready_by = timezone.now() + left
    game.save(update_fields=["ready_by"])
    schedule_ticks(game)
