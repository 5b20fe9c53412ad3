"""Games with a clock."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games import sweeper
from games.models import Game, Heartbeat

DAY = timedelta(days=1)

PACE = {"pace": 86400}


def without_grace(game: Game) -> Game:
    game.seats.update(grace_used=True)
    return game


def sweep() -> int:
    """One round of a sweeper that has been at work all the time."""
    Heartbeat.objects.update(at=timezone.now())
    return sweeper.sweep()


def run_out(clock: Any, game: Game) -> Game:
    """Let the decider's time run out and run the sweeper."""
    game = Game.objects.get(pk=game.pk)
    clock.move_to(game.deadline)
    assert sweep() == 1
    return Game.objects.get(pk=game.pk)


HOUR = timedelta(hours=1)


def deadline(game: Game) -> datetime:
    found = Game.objects.get(pk=game.pk).deadline
    assert found is not None
    return found
