"""Staff actions that end a running game or cancel one that has not begun."""

from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.staff_actions import Text
from accounts.refusals import Refusal
from games.lobby import stale_games
from games.log.rulings import Ruling
from games.models import Game
from games.moderation.actions.action_lock import (
    game_action,
    lock_for_action,
    not_running,
    player_reason,
    refuse_deleted,
)
from games.notifications import notify
from games.play.game_columns import set_end
from games.play.game_ticks import schedule_ticks
from games.play.ruling_entry import enter_moderator_ruling


@refuse_deleted
def _against_ending(game: Game) -> Text | None:
    return not_running(game)


@refuse_deleted
def _against_cancelling(game: Game) -> Text | None:
    if game.is_open:
        return None
    if game.is_running:
        return _("This game has started. End it with the current standings or without a result.")
    return _("This game is over.")


def _end(target: Game, *, by: User | None, reason: str, ending: Game.Ending, kind: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_ending)
    if ending == Game.Ending.STANDINGS:
        _check_standings(game)
    set_end(game, ending)
    game.ended_by_moderator = True
    enter_moderator_ruling(game, Ruling(kind), reason=player_reason(reason))
    return {"entry": game.version}


def _check_standings(game: Game) -> None:
    """Raise Refusal if the standings of the game cannot be computed."""
    system = game.rule_system
    try:
        system.standings(system.state_from_json(game.state))
    except Exception as error:  # a broken position may raise any error
        raise Refusal(
            str(_("The position cannot be read. Roll the game back, or end it without a result."))
        ) from error


def _cancel(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_cancelling)
    told = player_reason(reason)
    stale_games.close_game(game, by_moderator=True)
    notify.notify_closed(game, told)
    schedule_ticks(game)


END_WITH_STANDINGS = game_action(
    "end-with-standings",
    _("End with current standings"),
    _(
        "The game ends right away with the current standings. Everything hidden is revealed, as in any "
        "finished game. For a day you can reopen it with a rollback. Its hidden tiles are then dealt again. "
        "The players get a notification with the reason."
    ),
    partial(_end, ending=Game.Ending.STANDINGS, kind="ends"),
    _against_ending,
)

END_WITHOUT_RESULT = game_action(
    "end-without-result",
    _("End without a result"),
    _(
        "The game ends right away and nobody wins. Everything hidden is revealed, as in any finished game. "
        "For a day you can reopen it with a rollback. Its hidden tiles are then dealt again. The players get "
        "a notification with the reason."
    ),
    partial(_end, ending=Game.Ending.NONE, kind="voids"),
    _against_ending,
)

CANCEL = game_action(
    "cancel",
    _("Cancel game"),
    _(
        "Closes for good a game that is waiting for players. Players who have joined get a "
        "notification with the reason."
    ),
    _cancel,
    _against_cancelling,
)
