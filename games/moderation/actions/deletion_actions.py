"""Staff actions that delete and restore games. A deleted game is hidden from all but the staff."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.staff_actions import Text
from games.insights.decision_count import recount_sums
from games.log.rulings import Ruling
from games.models import Game
from games.moderation.actions.action_lock import (
    game_action,
    lock_for_action,
    player_reason,
)
from games.notifications import notify
from games.play.deadlines import pauses
from games.play.game_ticks import schedule_ticks
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes, pace_votes


def _against_deleting(game: Game) -> Text | None:
    return _("This game is already deleted.") if game.deleted is not None else None


def _delete(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_deleting)
    told = player_reason(reason)
    if game.finished is None:
        pauses.pause_clocks(game)
    game.deleted = timezone.now()
    _enter(game, Ruling("deletes"), told)
    recount_sums(game)
    notify.notify_moderated(game, notify.at_the_table(game), "delete", told)
    return {"entry": game.version}


def _against_restoring(game: Game) -> Text | None:
    return _("This game is not deleted.") if game.deleted is None else None


def _restore(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_restoring)
    told = player_reason(reason)
    game.deleted = None
    if game.paused is not None and pauses.can_resume(game):
        pauses.resume_clocks(game)
    _enter(game, Ruling("restores"), told)
    recount_sums(game)
    end_votes.settle_vote(game, list(game.seats.all()))
    pace_votes.settle_vote(game, list(game.seats.all()))
    notify.notify_moderated(game, notify.at_the_table(game), "restore", told)
    return {"entry": game.version}


def _enter(game: Game, ruling: Ruling, reason: str) -> None:
    """Save the game, with a ruling in the log if there is one."""
    if game.is_dealt:
        enter_moderator_ruling(game, ruling, reason=reason, over=game.is_finished)
    else:
        game.save(update_fields=["deleted", "paused", "opened", "ready_by"])
        schedule_ticks(game)


DELETE = game_action(
    "delete",
    _("Delete game"),
    perform=_delete,
    sentence=_(
        "Hides the game from everyone but staff. Lists and pages no longer show it, and clocks stop. "
        "Its players get one last email, with the reason. You can restore the game."
    ),
    against=_against_deleting,
)

RESTORE = game_action(
    "restore",
    _("Restore game"),
    perform=_restore,
    sentence=_(
        "Brings the game back, with as much time left as when it was deleted. Its players get a "
        "notification with the reason."
    ),
    against=_against_restoring,
)
