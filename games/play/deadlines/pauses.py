"""Paused games: nobody decides, and no clock runs.

Games whose rule system is withheld are paused, and so are those that a moderator pauses or deletes. This
includes open games, so that none is closed as stale for the time it was paused. Which systems are withheld is
a setting that changes while no process runs, so the sweeper checks in each round. It does not resume games
paused by moderators.
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
from games.play.seats import end_votes, pace_votes

# A running game waits for a person, a bot or a device; each of these conditions has an index.
_ASKS = Q(waiting_for__isnull=False) | Q(bot_due_at__isnull=False) | Q(is_practice=True)


def to_pause() -> list[int]:
    """The keys of games that run or are open although their rule system is withheld."""
    unfinished = Q(_ASKS, status=Game.Status.RUNNING) | Q(status=Game.Status.OPEN)
    found = Game.all_games.filter(unfinished, system__in=withheld_systems(), paused=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


def to_resume() -> list[int]:
    """The keys of paused games that may go on."""
    found = Game.objects.filter(paused__isnull=False, held_at=None)
    return list(found.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def pause(*, game_id: int) -> None:
    """Pause an unfinished game whose rule system is withheld; else do nothing.

    In a running game this is a ruling in the log.
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
    """Resume a paused game, by a ruling in the log if it runs; else do nothing.

    The player to move has the same time left as at the pause, and so has an open game until it is closed. A
    clock stopped by a vacation stays stopped. If the last missing voter on an end proposal left during the
    pause, the game ends.
    """
    game = lock_paused_game(game_id)
    if game.paused is None or not can_resume(game):
        return
    resume_clocks(game)
    if game.is_open:
        game.save(update_fields=["opened", "ready_by", "paused"])
        schedule_ticks(game)
        return
    enter_ruling(game, Ruling("goes on"))
    end_votes.settle_vote(game, list(game.seats.all()))
    pace_votes.settle_vote(game, list(game.seats.all()))


def can_resume(game: Game) -> bool:
    """Return whether nothing keeps the game paused."""
    return game.held_at is None and game.deleted is None and game.system not in withheld_systems()


def pause_clocks(game: Game) -> None:
    """Pause a locked game that is not over and stop its clock; does not save."""
    if game.paused is None:
        game_clock.pause_clock(game)
        game.paused = timezone.now()


def resume_clocks(game: Game) -> None:
    """End the pause of a locked game and start its clock; does not save.

    The opening of an open game, and the end of its ready check, are moved by the length of the pause.
    """
    assert game.paused is not None
    now = timezone.now()
    if game.is_open:
        game.opened += now - game.paused
        if game.ready_by is not None:
            game.ready_by += now - game.paused
    if game.time_left is not None and not game_clock.is_stopped_by_vacation(game):
        game_clock.resume_clock(game)
    if game.bot_due_at is not None:
        game.bot_due_at = bot_schedule.bot_due_at(game, now, again=False)
    game.paused = None
