"""Staff actions that ask a bot to move again or notify players again."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.staff_actions import Text
from accounts.refusals import Refusal
from games.models import Game, Notification
from games.moderation.actions.action_lock import (
    game_action,
    lock_for_action,
    not_running,
    refuse_deleted,
)
from games.notifications import notify
from games.notifications.outbox import outbox_rows
from games.play.bots import bot_failures, bot_moves
from games.play.game_columns import set_position
from games.play.game_ticks import schedule_ticks
from games.play.log_writer import save_columns

# -- A bot ---------------------------------------------------------------------------------------------


@refuse_deleted
def _against_running(game: Game) -> Text | None:
    if (why := not_running(game)) is not None:
        return why
    if game.paused is not None:
        return _("This game is paused. Resume it first.")
    if game.waiting_for_id is not None:
        return _("It is a person’s turn here, not a computer player’s.")
    return None


def _run_computer(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_running)
    seats = list(game.seats.all())
    state = _state(game)
    bot_moves.forget_cached_move(game)
    failed = bot_failures.clear(game)
    set_position(game, state, seats, after=None)
    save_columns(game)
    if game.waiting_for_id is not None:
        # The columns disagreed with the position.
        notify.notify_again(game)
    schedule_ticks(game)
    return {"version": game.version, "failures": failed}


def _state(game: Game) -> Any:
    """Return the state, with a seat to move. Raises Refusal."""
    system = game.rule_system
    try:
        state = system.state_from_json(game.state)
        decider = system.decider(state)
    except Exception as error:  # its message may contain secrets
        raise Refusal(str(_("The position cannot be read. Roll the game back."))) from error
    if decider is None:
        raise Refusal(str(_("Under the rules, this game is over. End it with the current standings.")))
    return state


RUN_COMPUTER = game_action(
    "run-computer",
    _("Wake this game"),
    perform=_run_computer,
    sentence=_(
        "The computer player in this game tries its move again. Its earlier failures are cleared. "
        "Nobody is notified."
    ),
    against=_against_running,
    read_by="",
)


# -- People --------------------------------------------------------------------------------------------


@refuse_deleted
def _against_sending(game: Game) -> Text | None:
    if game.held_at is not None and game.waiting_for_id is not None:
        return _("A moderator has paused this game, so nobody can move. Resume it first.")
    if game.waiting_for_id is None and not _given_up(game).exists():
        return _("It is nobody’s turn here, and no notification has failed.")
    return None


def _given_up(game: Game) -> Any:
    return Notification.objects.filter(game=game, state=Notification.State.GIVEN_UP)


def _send_again(target: Game, *, by: User | None, reason: str) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_sending)
    sent = _given_up(game).update(**outbox_rows.resend_columns())
    if game.waiting_for_id is not None:
        notify.notify_again(game)
    return {"version": game.version, "given up before": sent}


SEND_AGAIN = game_action(
    "send-again",
    _("Resend notifications"),
    perform=_send_again,
    sentence=_(
        "Sends the player to move another notification and resends failed ones. They go only to "
        "people who want them, and only while they apply."
    ),
    against=_against_sending,
    read_by="",
)
