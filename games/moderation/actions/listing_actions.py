"""Staff actions that unlist games or exclude them from the ratings."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ActionForm
from accounts.moderation.staff_actions import Action, Text
from games.log.rulings import Ruling
from games.models import Game
from games.moderation.actions.action_lock import (
    READ_BY_PLAYERS,
    Against,
    lock_for_action,
    moderator_bar,
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
        return _("A moderator keeps this game out of the lists already.")
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
    return _("No moderator keeps this game out of the lists.") if game.unlisted is None else None


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
    return None if game.rated else _("This game does not count anyway.")


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


def _action(name: str, label: Text, sentence: Text, perform: Callable[..., Any], against: Against) -> Action:
    return Action(
        name,
        label,
        "games.moderate_game",
        ActionForm,
        perform,
        sentence=sentence,
        against=against,
        bars=moderator_bar,
        read_by=READ_BY_PLAYERS,
    )


UNLIST = _action(
    "unlist",
    _("Take out of the lists"),
    _(
        "The game goes on, and no list of the lobby and no profile shows it. Whoever has its address"
        " finds it; before the start only the invite link lets people sit down. The host is told, with"
        " the reason."
    ),
    _unlist,
    _against_unlisting,
)

LIST = _action(
    "list",
    _("Put back into the lists"),
    _("Lists show the game again. The host is told, with the reason."),
    _list,
    _against_listing,
)

MAKE_UNRATED = _action(
    "make-unrated",
    _("Make it not count"),
    _(
        "The game is for fun from now on, whatever comes of it. It cannot be undone."
        " The players are told, with the reason."
    ),
    _unrate,
    _against_unrating,
)
