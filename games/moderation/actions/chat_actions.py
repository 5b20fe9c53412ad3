"""Staff actions on the chat of a game: removing messages and locking the chat."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ActionForm, NumberField
from accounts.moderation.staff_actions import Action, Text
from accounts.refusals import Refusal
from games.models import ChatMessage, Game
from games.moderation.actions.action_lock import Against, lock_for_action, moderator_bar, refuse_deleted
from games.realtime import ticks


class LineForm(ActionForm):
    """Form for the message concerned."""

    line = NumberField(
        label=_("Line"), min_value=1, help_text=_("Its number, as in the address of the line.")
    )


@refuse_deleted
def _against_hiding(game: Game) -> Text | None:
    return None if game.lines.exists() else _("Nobody has said anything here.")


@refuse_deleted
def _against_showing(game: Game) -> Text | None:
    return None if game.lines.exclude(removed=None).exists() else _("No line was taken away here.")


def _line(game: Game, key: int) -> ChatMessage:
    """Return the message with this key. Raises ValidationError."""
    line = game.lines.filter(pk=key).first()
    if line is None:
        raise ValidationError({"line": _("There is no such line in the talk of this game.")})
    return line


def _hide(target: Game, *, by: User | None, reason: str, line: int) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_hiding)
    found = _line(game, line)
    if not remove_message(game, found):
        raise Refusal(str(_("This line was taken away already.")))
    return {"said by": found.user_id}


def remove_message(game: Game, line: ChatMessage) -> bool:
    """Remove a message of a locked game and return whether it was visible."""
    if line.removed is not None:
        return False
    line.removed = timezone.now()
    line.save(update_fields=["removed"])
    _schedule_chat_ticks(game)
    return True


def _show(target: Game, *, by: User | None, reason: str, line: int) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_showing)
    found = _line(game, line)
    if found.removed is None:
        raise Refusal(str(_("This line is there to be read.")))
    found.removed = None
    found.save(update_fields=["removed"])
    _schedule_chat_ticks(game)
    return {"said by": found.user_id}


@refuse_deleted
def _against_locking(game: Game) -> Text | None:
    if game.is_practice:
        return _("There is no talk at a practice table.")
    return _("The talk is locked already.") if game.chat_locked_at is not None else None


@refuse_deleted
def _against_unlocking(game: Game) -> Text | None:
    return _("The talk is not locked.") if game.chat_locked_at is None else None


def _lock(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_locking)
    game.chat_locked_at = timezone.now()
    game.save(update_fields=["chat_locked_at"])
    _schedule_chat_ticks(game)


def _unlock(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_unlocking)
    game.chat_locked_at = None
    game.save(update_fields=["chat_locked_at"])
    _schedule_chat_ticks(game)


def _schedule_chat_ticks(game: Game) -> None:
    """Make open pages reload the chat after the commit."""
    transaction.on_commit(partial(ticks.send_tick, game.public_id, game.version, ()), robust=True)


def _action(
    name: str,
    label: Text,
    sentence: Text,
    perform: Callable[..., Any],
    against: Against,
    form_class: type[ActionForm] = ActionForm,
) -> Action:
    return Action(
        name,
        label,
        "games.moderate_game",
        form_class,
        perform,
        sentence=sentence,
        against=against,
        bars=moderator_bar,
    )


HIDE_LINE = _action(
    "hide-line",
    _("Take a line away"),
    _("Nobody reads this line of the talk any more. Nobody is told."),
    _hide,
    _against_hiding,
    LineForm,
)

SHOW_LINE = _action(
    "show-line",
    _("Bring a line back"),
    _("A line that was taken away can be read again. Nobody is told."),
    _show,
    _against_showing,
    LineForm,
)

LOCK_TALK = _action(
    "lock-talk",
    _("Lock the talk"),
    _("What was said can be read, and nothing added. Whoever opens the talk reads that a moderator did it."),
    _lock,
    _against_locking,
)

UNLOCK_TALK = _action(
    "unlock-talk",
    _("Unlock the talk"),
    _("Everybody who could talk here before can do so again."),
    _unlock,
    _against_unlocking,
)
