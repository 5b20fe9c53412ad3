"""Paused games: nobody decides, and no time runs.

Games whose system may not be played here any more are paused, and so are those that a moderator holds or
deletes. Those that still wait for players are paused as well, so that none is closed for what it waited
meanwhile.

Whether a system may be played is a setting, which changes while no process runs. So the sweeper looks in each
round; what moderators have paused it leaves alone.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.clocks import game_clock
from games.log.rulings import Ruling
from games.models import Game
from games.models.playable_systems import withheld_systems
from games.play.bots import bot_schedule
from games.play.game_lock import lock_paused_game
from games.play.game_ticks import schedule_ticks
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes

# What runs asks a person, a computer, or somebody at a device; there is an index for each of these.
_ASKS = Q(waiting_for__isnull=False) | Q(bot_due_at__isnull=False) | Q(is_practice=True)


def to_pause() -> list[int]:
    """Games that run or wait for players, and may not."""
    unfinished = Q(_ASKS, status=Game.Status.RUNNING) | Q(status=Game.Status.OPEN)
    found = Game.all_games.filter(unfinished, system__in=withheld_systems(), paused=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


def to_resume() -> list[int]:
    """Games that were paused and may go on."""
    found = Game.objects.filter(paused__isnull=False, held_at=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def pause(*, game_id: int) -> None:
    """Pause a game whose system may not be played here, if it is not over or paused; else do nothing.

    In the log of one that runs it is a ruling.
    """
    game = lock_paused_game(game_id)
    if game.finished or game.paused is not None or game.system not in withheld_systems():
        return
    pause_clocks(game)
    if game.is_open:
        game.save(update_fields=["paused"])
    else:
        enter_ruling(game, Ruling("halt"))


@transaction.atomic
def resume(*, game_id: int) -> None:
    """Let a paused game go on, by a ruling in the log if it runs; else do nothing.

    Whoever is asked has as much time left as when it was paused, and so has an open game to be started. A
    clock that a vacation stops goes on after that. Who left meanwhile may have been the last one whose answer
    to a proposal was missing; then the game is over.
    """
    game = lock_paused_game(game_id)
    if game.paused is None or not can_resume(game):
        return
    resume_clocks(game)
    if game.is_open:
        game.save(update_fields=["opened", "paused"])
        schedule_ticks(game)
        return
    enter_ruling(game, Ruling("goes on"))
    end_votes.settle_vote(game, list(game.seats.all()))


def can_resume(game: Game) -> bool:
    """Whether nothing keeps the game paused."""
    return game.held_at is None and game.deleted is None and game.system not in withheld_systems()


def pause_clocks(game: Game) -> None:
    """Let no time run in a locked game that is not over, from now on, unsaved."""
    if game.paused is None:
        game_clock.pause_clock(game)
        game.paused = timezone.now()


def resume_clocks(game: Game) -> None:
    """Let time run again in a locked game that is paused, unsaved, as if it had been earlier until now.

    An open one waits for players as if it had been opened so much later.
    """
    assert game.paused is not None
    now = timezone.now()
    if game.is_open:
        game.opened += now - game.paused
    if game.time_left is not None and not game_clock.is_on_vacation(game.waiting_for_id):
        game_clock.resume_clock(game)
    if game.bot_due_at is not None:
        game.bot_due_at = bot_schedule.bot_due_at(now, again=False)
    game.paused = None
