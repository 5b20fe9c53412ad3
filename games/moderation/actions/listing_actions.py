"""Staff actions that unlist games or exclude them from the ratings."""

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
from games.play.finished_game import mark_result_due
from games.play.game_ticks import schedule_ticks
from games.play.ruling_entry import enter_moderator_ruling


@refuse_deleted
def _against_unlisting(game: Game) -> Text | None:
    if game.unlisted is not None:
        return _("A moderator has already removed this game from the lists.")
    return None if game.visibility == Game.Visibility.PUBLIC else _("This game is not in the lists.")


def _unlist(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_unlisting)
    told = player_reason(reason)
    schedule_ticks(game)  # while the lobby still shows it
    game.visibility, game.unlisted = Game.Visibility.UNLISTED, timezone.now()
    game.save(update_fields=["visibility", "unlisted"])
    mark_result_due(game)
    notify.notify_moderated(game, [game.host_id], "unlist", told)


@refuse_deleted
def _against_listing(game: Game) -> Text | None:
    return _("No moderator has removed this game from the lists.") if game.unlisted is None else None


def _list(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_listing)
    told = player_reason(reason)
    game.visibility, game.unlisted = Game.Visibility.PUBLIC, None
    game.save(update_fields=["visibility", "unlisted"])
    mark_result_due(game)
    schedule_ticks(game)
    notify.notify_moderated(game, [game.host_id], "list", told)


@refuse_deleted
def _against_unrating(game: Game) -> Text | None:
    return None if game.rated else _("This game is already unrated.")


def _unrate(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_unrating)
    told = player_reason(reason)
    game.rated = False
    if game.is_dealt:
        enter_moderator_ruling(game, Ruling("unrates"), reason=told, over=game.is_finished)
    else:
        game.save(update_fields=["rated"])
        schedule_ticks(game)
    notify.notify_moderated(game, notify.at_the_table(game), "make-unrated", told)
    return {"entry": game.version}


UNLIST = game_action(
    "unlist",
    _("Remove from lists"),
    _(
        "The game continues, but the lobby and profiles no longer show it. Anyone with its address "
        "can still open it. Before it starts, people can join only with the invite link. The host "
        "gets a notification with the reason."
    ),
    _unlist,
    _against_unlisting,
)

LIST = game_action(
    "list",
    _("Return to lists"),
    _("Lists show the game again. The host gets a notification with the reason."),
    _list,
    _against_listing,
)

MAKE_UNRATED = game_action(
    "make-unrated",
    _("Make unrated"),
    _(
        "The game no longer counts for ratings, even if it is already over. You cannot undo this. "
        "The players get a notification with the reason."
    ),
    _unrate,
    _against_unrating,
)
