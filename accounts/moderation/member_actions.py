"""Staff actions on members, for the admin and for commands."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils.translation import gettext_lazy as _

from accounts.api_access import api_tokens
from accounts.mail import account_mails
from accounts.membership import account_deletion, name_changes, sessions
from accounts.models import User
from accounts.moderation import sanctions
from accounts.moderation.action_forms import ActionForm, ChoiceField, MomentField, TextField
from accounts.moderation.appeal_replies import REPLIES
from accounts.moderation.sanctions import Kind, open_appeals
from accounts.moderation.staff_actions import Action, Text
from accounts.refusals import LastAdministrator, Refusal

PERMISSION: Final = "accounts.manage_member"

READ_BY_MEMBER: Final = _("The member reads it word for word, by mail and on the page about it.")
READ_IN_MAIL: Final = _("The member reads it word for word, in the mail about it.")


def bars(member: User, by: User) -> Text | None:
    """Return why this person may not act on the member, or None.

    Nobody acts on their own account; only administrators act on the accounts of staff.
    """
    if member.pk == by.pk:
        return _("This is your own account. Leave it to somebody else.")
    if (member.is_staff or member.is_superuser) and not by.is_superuser:
        return _("This member looks after the site as well. Only a superuser may act here.")
    return None


def _gone(member: User) -> Text | None:
    return None if member.is_active else _("This account is closed: nobody plays or talks by it any more.")


def _nothing_to_lift(member: User) -> Text | None:
    if gone := _gone(member):
        return gone
    return None if member.sanctions.active().exists() else _("Nothing stands against this member.")


def _nothing_to_reply(member: User) -> Text | None:
    if gone := _gone(member):
        return gone
    waiting = open_appeals().filter(sanction__member=member)
    return None if waiting.exists() else _("No answer of this member waits for a reply.")


def _guest(member: User) -> Text | None:
    return _gone(member) or (_("A guest has a made-up name in any case.") if member.is_guest else None)


def _program(member: User) -> Text | None:
    if member.is_bot_account and not _gone(member):
        return _("This is a program: it reads and says nothing. Turn to its owner, or suspend it.")
    return _gone(member)


# -- What they ask and do --------------------------------------------------------------------------


def _warn(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.WARNING, reason=reason, by=by)


class MuteForm(ActionForm):
    until = MomentField(label=_("Until"), required=False)


def _mute(member: User, *, by: User | None, reason: str, until: datetime | None) -> None:
    sanctions.impose(member, Kind.MUTE, reason=reason, by=by, until=until)


class SuspendForm(ActionForm):
    until = MomentField(label=_("Until"))


def _suspend(member: User, *, by: User | None, reason: str, until: datetime) -> None:
    sanctions.impose(member, Kind.SUSPENSION, reason=reason, by=by, until=until)


def _ban(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.BAN, reason=reason, by=by)


class LiftForm(ActionForm):
    kind = ChoiceField(label=_("What to lift"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        held = set(self.target.sanctions.active().values_list("kind", flat=True))
        self.set_choices("kind", [(kind.value, kind.label) for kind in Kind if kind in held])


def _lift(member: User, *, by: User | None, reason: str, kind: str) -> None:
    sanctions.lift(member, kind, reason=reason, by=by)


class ReplyForm(ActionForm):
    reply = ChoiceField(
        label=_("Reply"),
        choices=[*BLANK_CHOICE_DASH, *((name, label) for name, (label, _words) in REPLIES.items())],
    )
    words = TextField(label=_("In your own words"), required=False, help_text=_("Added to the reply."))


def _reply(member: User, *, by: User | None, reason: str, reply: str, words: str | None) -> None:
    whole = "\n\n".join(part for part in (str(REPLIES[reply][1]), words or "") if part)
    if not whole:
        raise ValidationError({"words": _("Write the reply in your own words.")})
    sanctions.reply(member, whole, by=by)


def _sign_out(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"sessions": sessions.end_sessions(member)}


def _revoke_tokens(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"tokens": api_tokens.revoke_all(member)}


class RenameForm(ActionForm):
    new_name = TextField(label=_("New name"), max_length=20)


def _rename(member: User, *, by: User | None, reason: str, new_name: str) -> None:
    member = User.objects.select_for_update().get(pk=member.pk)
    old = member.username
    if new_name == old:
        raise ValidationError({"new_name": _("The member is called so already.")})
    try:
        name_changes.rename(member, new_name, may_go_back=False)
    except ValidationError as error:
        raise ValidationError({"new_name": " ".join(error.messages)}) from error
    account_mails.mail_renamed(member, old, reason)


def _anonymise(member: User, *, by: User | None, reason: str) -> None:
    try:
        account_deletion.delete_account(member)
    except LastAdministrator as error:
        raise Refusal(str(_("Nobody could look after the site without this account."))) from error


# -- By name ---------------------------------------------------------------------------------------


def _action(
    name: str,
    label: Text,
    sentence: Text,
    perform: Callable[..., Any],
    form_class: type[ActionForm] = ActionForm,
    *,
    against: Callable[[User], Text | None] = _gone,
    read_by: Text = "",
) -> Action:
    return Action(
        name,
        label,
        PERMISSION,
        form_class,
        perform,
        sentence=sentence,
        against=against,
        bars=bars,
        read_by=read_by,
    )


_ACTIONS: Final = (
    _action(
        "warn",
        _("Warn"),
        _(
            "The member reads the reason before playing on, and says so by a press. Clocks go on meanwhile."
            " The member is told by mail."
        ),
        _warn,
        against=_program,
        read_by=READ_BY_MEMBER,
    ),
    _action(
        "mute",
        _("Mute"),
        _(
            "The member says nothing at any table, and plays on. The reason and the end are told by mail"
            " and on the member’s page about it. Without an end it holds until it is lifted."
        ),
        _mute,
        MuteForm,
        against=_program,
        read_by=READ_BY_MEMBER,
    ),
    _action(
        "suspend",
        _("Suspend"),
        _(
            "The member may log in only to read the reason, answer, and take the own data along. Games go on"
            " and so do clocks: when time is over, what the table has chosen for that happens. The member is"
            " told by mail."
        ),
        _suspend,
        SuspendForm,
        read_by=READ_BY_MEMBER,
    ),
    _action(
        "ban",
        _("Ban"),
        _(
            "The same as to suspend, without an end. The member is logged out everywhere, computers take over"
            " the seats at once, open games go on without the member, and invitations are withdrawn. Lifted"
            " later, the seats are not given back. The member is told by mail."
        ),
        _ban,
        read_by=READ_BY_MEMBER,
    ),
    _action(
        "lift",
        _("Lift"),
        _("Ends what stands against the member, now. The member is told by mail, with the reason."),
        _lift,
        LiftForm,
        against=_nothing_to_lift,
        read_by=READ_BY_MEMBER,
    ),
    _action(
        "reply",
        _("Reply to an answer"),
        _(
            "The member reads the reply by mail and on the page about it. Nothing else changes: to end what"
            " stands, lift it, which is a reply as well. The reason is for the audit alone."
        ),
        _reply,
        ReplyForm,
        against=_nothing_to_reply,
    ),
    _action(
        "sign-out",
        _("Sign out everywhere"),
        _("Ends all sessions of the member, on all devices. The password stays. Nobody is told."),
        _sign_out,
    ),
    _action(
        "revoke-tokens",
        _("Revoke tokens"),
        _(
            "The tokens of the member and of the member’s programs open nothing any more. The member can make"
            " new ones. Nobody is told."
        ),
        _revoke_tokens,
    ),
    _action(
        "rename",
        _("Rename"),
        _(
            "Gives the member another name. Nobody, the member neither, can take the old one for thirty days."
            " The member is told by mail, with the reason."
        ),
        _rename,
        RenameForm,
        against=_guest,
        read_by=READ_IN_MAIL,
    ),
    _action(
        "anonymise",
        _("Anonymise"),
        _(
            "Closes the account for good, as if its owner had deleted it: computers take over the seats, and"
            " name, address, settings, notes and words are gone. It cannot be taken back. Nobody is told."
        ),
        _anonymise,
    ),
)

MEMBER_ACTIONS: Final[dict[str, Action]] = {action.name: action for action in _ACTIONS}
