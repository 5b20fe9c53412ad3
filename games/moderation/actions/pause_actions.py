"""Staff actions that pause and resume games; only moderators resume what a moderator paused."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.staff_actions import Text
from games.log.rulings import Ruling
from games.models import Game
from games.moderation.actions.action_lock import (
    game_action,
    lock_for_action,
    player_reason,
    refuse_deleted,
)
from games.notifications import notify
from games.play.deadlines import pauses
from games.play.game_ticks import schedule_ticks
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes, pace_votes


@refuse_deleted
def _against_pausing(game: Game) -> Text | None:
    if game.held_at is not None:
        return _("A moderator has already paused this game.")
    return _("This game is over.") if game.finished is not None else None


def _pause(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_pausing)
    told = player_reason(reason)
    pauses.pause_clocks(game)
    game.held_at = timezone.now()
    if game.is_open:
        game.save(update_fields=["paused", "held_at"])
        schedule_ticks(game)
    else:
        enter_moderator_ruling(game, Ruling("holds"), reason=told)
    notify.notify_moderated(game, notify.at_the_table(game), "pause", told)
    return {"entry": game.version}


@refuse_deleted
def _against_resuming(game: Game) -> Text | None:
    return _("No moderator has paused this game.") if game.held_at is None else None


def _resume(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_resuming)
    told = player_reason(reason)
    game.held_at = None
    pauses.resume_clocks(game)
    if game.is_open:
        game.save(update_fields=["opened", "ready_by", "paused", "held_at"])
        schedule_ticks(game)
    else:
        enter_moderator_ruling(game, Ruling("releases"), reason=told)
        end_votes.settle_vote(game, list(game.seats.all()))
        pace_votes.settle_vote(game, list(game.seats.all()))
    notify.notify_moderated(game, notify.at_the_table(game), "resume", told)
    return {"entry": game.version}


PAUSE = game_action(
    "pause",
    _("Pause game"),
    perform=_pause,
    sentence=_(
        "Nobody can move, join, start or vote until a moderator resumes the game. Clocks are paused. "
        "The players get a notification with the reason."
    ),
    against=_against_pausing,
)

RESUME = game_action(
    "resume",
    _("Resume game"),
    perform=_resume,
    sentence=_(
        "The game resumes. The player to move has as much time left as when it was paused. The "
        "players get a notification with the reason."
    ),
    against=_against_resuming,
)
