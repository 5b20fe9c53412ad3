"""Pausing a game and letting it go on. What a moderator has paused nobody else lets go on."""

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

from .locking import READ_BY_PLAYERS, bars, locked, readable, unless_deleted


@unless_deleted
def _against_pausing(game: Game) -> Text | None:
    if game.held is not None:
        return _("A moderator has paused this game already.")
    return _("This game is over.") if game.finished is not None else None


def _pause(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = locked(target, by, _against_pausing)
    told = readable(reason)
    pausing.stand_still(game)
    game.held = timezone.now()
    if game.is_open:
        game.save(update_fields=["paused", "held"])
        schedule_ticks(game)
    else:
        enter_moderator_ruling(game, Ruling("holds"), reason=told)
    notifying.moderated(game, notifying.at_the_table(game), "pause", told)
    return {"entry": game.version}


@unless_deleted
def _against_resuming(game: Game) -> Text | None:
    return _("No moderator has paused this game.") if game.held is None else None


def _resume(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = locked(target, by, _against_resuming)
    told = readable(reason)
    game.held = None
    pausing.go_on(game)
    if game.is_open:
        game.save(update_fields=["opened", "paused", "held"])
        schedule_ticks(game)
    else:
        enter_moderator_ruling(game, Ruling("releases"), reason=told)
        voting.count(game, list(game.seats.all()))
    notifying.moderated(game, notifying.at_the_table(game), "resume", told)
    return {"entry": game.version}


PAUSE = Action(
    name="pause",
    label=_("Pause"),
    permission="games.moderate_game",
    form_class=ActionForm,
    perform=_pause,
    sentence=_(
        "Nobody can move, join, start or vote, and no clock runs, until a moderator lets the game go on."
        " The players are told, with the reason."
    ),
    against=_against_pausing,
    bars=bars,
    read_by=READ_BY_PLAYERS,
)

RESUME = Action(
    name="resume",
    label=_("Let it go on"),
    permission="games.moderate_game",
    form_class=ActionForm,
    perform=_resume,
    sentence=_(
        "The game goes on. Whoever is asked has as much time left as when it was paused."
        " The players are told, with the reason."
    ),
    against=_against_resuming,
    bars=bars,
    read_by=READ_BY_PLAYERS,
)
