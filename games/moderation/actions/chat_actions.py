"""Staff actions on the chat of a game: removing messages and locking the chat."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ActionForm, NumberField
from accounts.moderation.staff_actions import Text
from accounts.refusals import Refusal
from games.chat.messages import schedule_ticks
from games.models import ChatMessage, Game
from games.moderation.actions.action_lock import game_action, lock_for_action, refuse_deleted


class LineForm(ActionForm):
    """Form for the message concerned."""

    line = NumberField(
        label=_("Message"), min_value=1, help_text=_("Its number, as in the address of the message.")
    )


@refuse_deleted
def _against_hiding(game: Game) -> Text | None:
    return None if game.lines.exists() else _("There are no messages here.")


@refuse_deleted
def _against_showing(game: Game) -> Text | None:
    return None if game.lines.exclude(removed=None).exists() else _("No message has been removed here.")


def _line(game: Game, key: int) -> ChatMessage:
    """Return the message with this key. Raises ValidationError."""
    line = game.lines.filter(pk=key).first()
    if line is None:
        raise ValidationError({"line": _("There is no such message in this chat.")})
    return line


def _hide(target: Game, *, by: User | None, reason: str, line: int) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_hiding)
    found = _line(game, line)
    if not remove_message(game, found):
        raise Refusal(str(_("This message is already removed.")))
    return {"said by": found.user_id}


def _foresee_hiding(target: Game, *, line: int) -> str:
    found = target.lines.filter(pk=line).select_related("user").first()
    return "" if found is None else message_to_hide(found)


def message_to_hide(line: ChatMessage) -> str:
    """Say whose message would be hidden, and quote it."""
    return gettext("This hides {name}’s message: “{text}”").format(name=line.user, text=line.text)


def remove_message(game: Game, line: ChatMessage) -> bool:
    """Remove a message of a locked game and return whether it was visible."""
    if line.removed is not None:
        return False
    line.removed = timezone.now()
    line.save(update_fields=["removed"])
    schedule_ticks(game, line.channel)
    return True


def _show(target: Game, *, by: User | None, reason: str, line: int) -> dict[str, Any]:
    game = lock_for_action(target, by, _against_showing)
    found = _line(game, line)
    if found.removed is None:
        raise Refusal(str(_("This message has not been removed.")))
    if found.removed_by_author:
        raise Refusal(str(_("Its author removed this message, so you cannot restore it.")))
    found.removed = None
    found.save(update_fields=["removed"])
    schedule_ticks(game, found.channel)
    return {"said by": found.user_id}


@refuse_deleted
def _against_locking(game: Game) -> Text | None:
    if game.is_practice:
        return _("A practice table has no chat.")
    return _("The chat is already locked.") if game.chat_locked_at is not None else None


@refuse_deleted
def _against_unlocking(game: Game) -> Text | None:
    return _("The chat is not locked.") if game.chat_locked_at is None else None


def _lock(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_locking)
    game.chat_locked_at = timezone.now()
    game.save(update_fields=["chat_locked_at"])
    schedule_ticks(game, ChatMessage.Channel.PLAYERS)


def _unlock(target: Game, *, by: User | None, reason: str) -> None:
    game = lock_for_action(target, by, _against_unlocking)
    game.chat_locked_at = None
    game.save(update_fields=["chat_locked_at"])
    schedule_ticks(game, ChatMessage.Channel.PLAYERS)


HIDE_LINE = game_action(
    "hide-line",
    _("Remove message"),
    _("Hides this message from everyone. Nobody is notified."),
    _hide,
    _against_hiding,
    form_class=LineForm,
    foresee=_foresee_hiding,
    read_by="",
)

SHOW_LINE = game_action(
    "show-line",
    _("Restore message"),
    _("Shows a removed message again. Nobody is notified."),
    _show,
    _against_showing,
    form_class=LineForm,
    read_by="",
)

LOCK_TALK = game_action(
    "lock-talk",
    _("Lock chat"),
    _("Messages can be read but not added. Anyone who opens the chat sees that a moderator locked it."),
    _lock,
    _against_locking,
    read_by="",
)

UNLOCK_TALK = game_action(
    "unlock-talk",
    _("Unlock chat"),
    _("Everyone who could write here before can do so again."),
    _unlock,
    _against_unlocking,
    read_by="",
)
