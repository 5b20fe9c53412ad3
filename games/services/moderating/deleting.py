"""Deleting a game for everybody but the staff, and restoring it. Nothing of it is lost meanwhile."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.action_forms import ActionForm
from accounts.services.actions import Action, Text
from games.models import Game
from games.services import notifying, pausing, voting
from games.services.game_ticks import schedule_ticks
from games.services.ruling_entry import enter_moderator_ruling
from games.services.rulings import Ruling

from .locking import READ_BY_PLAYERS, bars, locked, readable


def _against_deleting(game: Game) -> Text | None:
    return _("This game is deleted already.") if game.deleted is not None else None


def _delete(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = locked(target, by, _against_deleting)
    told = readable(reason)
    if game.finished is None:
        pausing.stand_still(game)
    game.deleted = timezone.now()
    _enter(game, Ruling("deletes"), told)
    notifying.moderated(game, notifying.at_the_table(game), "delete", told)
    return {"entry": game.version}


def _against_restoring(game: Game) -> Text | None:
    return _("This game is not deleted.") if game.deleted is None else None


def _restore(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = locked(target, by, _against_restoring)
    told = readable(reason)
    game.deleted = None
    if game.paused is not None and pausing.may_go_on(game):
        pausing.go_on(game)
    _enter(game, Ruling("restores"), told)
    voting.count(game, list(game.seats.all()))
    notifying.moderated(game, notifying.at_the_table(game), "restore", told)
    return {"entry": game.version}


def _enter(game: Game, ruling: Ruling, reason: str) -> None:
    """Save it, by a ruling in the log if there is one."""
    if game.is_dealt:
        enter_moderator_ruling(game, ruling, reason=reason, over=game.is_finished)
    else:
        game.save(update_fields=["deleted", "paused", "opened"])
        schedule_ticks(game)


DELETE = Action(
    name="delete",
    label=_("Delete"),
    permission="games.moderate_game",
    form_class=ActionForm,
    perform=_delete,
    sentence=_(
        "The game is gone for everybody but the staff: no list and no page shows it, no clock runs, and"
        " no mail is sent, except one that tells its players, with the reason. It can be restored."
    ),
    against=_against_deleting,
    bars=bars,
    read_by=READ_BY_PLAYERS,
)

RESTORE = Action(
    name="restore",
    label=_("Restore"),
    permission="games.moderate_game",
    form_class=ActionForm,
    perform=_restore,
    sentence=_(
        "The game is there again, with as much time left as when it was deleted. Its players are told,"
        " with the reason."
    ),
    against=_against_restoring,
    bars=bars,
    read_by=READ_BY_PLAYERS,
)
