"""Whether a game stands in lists, and whether it counts."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.action_forms import ActionForm
from accounts.services.actions import Action, Text
from games.models import Game
from games.services import notifying
from games.services.finished_game import mark_result_due
from games.services.game_ticks import schedule_ticks
from games.services.ruling_entry import enter_moderator_ruling
from games.services.rulings import Ruling

from .locking import READ_BY_PLAYERS, Against, bars, locked, readable, unless_deleted


@unless_deleted
def _against_unlisting(game: Game) -> Text | None:
    if game.unlisted is not None:
        return _("A moderator keeps this game out of the lists already.")
    return None if game.visibility == Game.Visibility.PUBLIC else _("This game is not in the lists.")


def _unlist(target: Game, *, by: User | None, reason: str) -> None:
    game = locked(target, by, _against_unlisting)
    told = readable(reason)
    schedule_ticks(game)  # while the lobby still shows it
    game.visibility, game.unlisted = Game.Visibility.UNLISTED, timezone.now()
    game.save(update_fields=["visibility", "unlisted"])
    mark_result_due(game)
    notifying.moderated(game, [game.host_id], "unlist", told)


@unless_deleted
def _against_listing(game: Game) -> Text | None:
    return _("No moderator keeps this game out of the lists.") if game.unlisted is None else None


def _list(target: Game, *, by: User | None, reason: str) -> None:
    game = locked(target, by, _against_listing)
    told = readable(reason)
    game.visibility, game.unlisted = Game.Visibility.PUBLIC, None
    game.save(update_fields=["visibility", "unlisted"])
    mark_result_due(game)
    schedule_ticks(game)
    notifying.moderated(game, [game.host_id], "list", told)


@unless_deleted
def _against_unrating(game: Game) -> Text | None:
    return None if game.rated else _("This game does not count anyway.")


def _unrate(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = locked(target, by, _against_unrating)
    told = readable(reason)
    game.rated = False
    if game.is_dealt:
        enter_moderator_ruling(game, Ruling("unrates"), reason=told, over=game.is_finished)
    else:
        game.save(update_fields=["rated"])
        schedule_ticks(game)
    notifying.moderated(game, notifying.at_the_table(game), "make-unrated", told)
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
        bars=bars,
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
