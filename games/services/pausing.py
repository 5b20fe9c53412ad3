"""Games whose system may not be played here any more are paused: nobody decides, and no time runs.

Those that still wait for players are paused as well, so that none is closed for what it waited meanwhile.

Whether it may is a setting, which changes while no process runs. So the sweeper looks in each round.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Game
from games.models.systems import withheld

from . import pace, record, timekeeping, voting
from .rulings import Ruling

# What runs asks a person, a computer, or somebody at a device; there is an index for each of these.
_ASKS = Q(asked__isnull=False) | Q(due__isnull=False) | Q(practice=True)


def to_pause() -> list[int]:
    """Games that run or wait for players, and may not."""
    unfinished = Q(_ASKS, status=Game.Status.RUNNING) | Q(status=Game.Status.OPEN)
    found = Game.every.filter(unfinished, system__in=withheld(), paused=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


def to_resume() -> list[int]:
    """Games that were paused and may go on."""
    return list(Game.objects.filter(paused__isnull=False).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def pause(*, game_id: int) -> None:
    """Pause a game whose system may not be played here, if it is not over or paused; else do nothing.

    In the log of one that runs it is a ruling.
    """
    game = record.lock_even_paused(game_id)
    if game.finished or game.paused is not None or game.system not in withheld():
        return
    if game.is_open:
        game.paused = timezone.now()
        game.save(update_fields=["paused"])
        return
    if game.deadline is not None:
        game.remaining, game.deadline = timekeeping.remaining(game), None
    game.paused = timezone.now()
    record.rule(game, Ruling("halt"))


@transaction.atomic
def resume(*, game_id: int) -> None:
    """Let a paused game go on, by a ruling in the log if it runs; else do nothing.

    Whoever is asked has as much time left as when it was paused, and so has an open game to be started. A
    clock that a vacation stops goes on after that. Who left meanwhile may have been the last one whose answer
    to a proposal was missing; then the game is over.
    """
    game = record.lock_even_paused(game_id)
    if game.paused is None or game.system in withheld():
        return
    if game.is_open:
        _wait_on(game)
        return
    if game.remaining is not None and not timekeeping.is_away(game.asked_id):
        timekeeping.go_on(game)
    if game.due is not None:
        game.due = pace.due(timezone.now(), again=False)
    game.paused = None
    record.rule(game, Ruling("goes on"))
    voting.count(game, list(game.seats.all()))


def _wait_on(game: Game) -> None:
    """Let an open game wait for players again as if it had been opened so much later."""
    assert game.paused
    game.opened += timezone.now() - game.paused
    game.paused = None
    game.save(update_fields=["opened", "paused"])
    record.announce(game)
