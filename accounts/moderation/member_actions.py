"""Staff actions on members, for the admin and for commands."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.api_access import api_tokens
from accounts.mail import account_mails
from accounts.membership import account_deletion, name_changes, sessions
from accounts.models import User
from accounts.moderation import sanctions
from accounts.moderation.account_actions import ACCOUNT_ACTIONS
from accounts.moderation.action_forms import ActionForm, ChoiceField, MomentField, TextField
from accounts.moderation.appeal_replies import REPLIES
from accounts.moderation.member_action import READ_BY_MEMBER, READ_IN_MAIL, gone, member_action
from accounts.moderation.sanctions import Kind, open_appeals
from accounts.moderation.staff_actions import Action, Preset, Text
from accounts.moderation.suspicious_signups import DISMISS, groups_with
from accounts.refusals import LastAdministrator, Refusal


def _nothing_to_lift(member: User) -> Text | None:
    if closed := gone(member):
        return closed
    return None if member.sanctions.active().exists() else _("This member has no sanction.")


def _nothing_to_reply(member: User) -> Text | None:
    if closed := gone(member):
        return closed
    waiting = open_appeals().filter(sanction__member=member)
    return None if waiting.exists() else _("No appeal from this member is waiting for a reply.")


def _guest(member: User) -> Text | None:
    return gone(member) or (_("Guests already have a made-up name.") if member.is_guest else None)


def _unsuspicious(member: User) -> Text | None:
    if closed := gone(member):
        return closed
    return None if groups_with(member) else _("This sign-up is not in the moderation queue.")


def _program(member: User) -> Text | None:
    if member.is_bot_account and not gone(member):
        return _("This is a bot, so it cannot read a warning. Contact its owner or suspend it.")
    return gone(member)


# -- What they ask and do --------------------------------------------------------------------------


def _warn(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.WARNING, reason=reason, by=by)


class MuteForm(ActionForm):
    until = MomentField(label=_("Until"), required=False)


def _foresee_mute(member: User, *, until: datetime | None) -> Text:
    if until is None:
        return _("This mute is for ever, unless someone lifts it.")
    return gettext("The mute ends on {moment}.").format(
        moment=date_format(timezone.localtime(until), "j F Y, H:i")
    )


def _mute_preset(name: str, label: Text, length: timedelta) -> Preset:
    def values(member: User) -> Mapping[str, Any]:
        until = timezone.localtime(timezone.now() + length)
        return {
            "until": until.strftime("%Y-%m-%dT%H:%M"),
            "reason": gettext("Your messages hurt others. Stay friendly in the chat."),
        }

    return Preset(name, label, values)


def _mute(member: User, *, by: User | None, reason: str, until: datetime | None) -> None:
    sanctions.impose(member, Kind.MUTE, reason=reason, by=by, until=until)


class SuspendForm(ActionForm):
    until = MomentField(label=_("Until"))


def _suspend(member: User, *, by: User | None, reason: str, until: datetime) -> None:
    sanctions.impose(member, Kind.SUSPENSION, reason=reason, by=by, until=until)


def _ban(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.BAN, reason=reason, by=by)


class LiftForm(ActionForm):
    kind = ChoiceField(label=_("Sanction"))

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
    words = TextField(label=_("Your own text"), required=False, help_text=_("Added after the reply."))


def _reply(member: User, *, by: User | None, reason: str, reply: str, words: str | None) -> None:
    whole = "\n\n".join(part for part in (str(REPLIES[reply][1]), words or "") if part)
    if not whole:
        raise ValidationError({"words": _("Write a reply.")})
    sanctions.reply(member, whole, by=by)


def _sign_out(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"sessions": sessions.end_sessions(member)}


def _revoke_tokens(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"tokens": api_tokens.revoke_all(member)}


class RenameForm(ActionForm):
    new_name = TextField(label=_("New name"), max_length=20)


def _rename(member: User, *, by: User | None, reason: str, new_name: str) -> None:
    account_deletion.delete_unconfirmed(timezone.now(), new_name, by=member)
    member = User.objects.select_for_update().get(pk=member.pk)
    old = member.username
    if new_name == old:
        raise ValidationError({"new_name": _("The member already has this name.")})
    try:
        name_changes.rename(member, new_name, may_go_back=False)
    except ValidationError as error:
        raise ValidationError({"new_name": " ".join(error.messages)}) from error
    account_mails.mail_renamed(member, old, reason)


def _anonymise(member: User, *, by: User | None, reason: str) -> None:
    try:
        account_deletion.delete_account(member)
    except LastAdministrator as error:
        raise Refusal(str(_("Without this account the site would have no administrator."))) from error


def _alike(member: User) -> dict[int, str]:
    """The names by key of the new members that the desk lists together with this one."""
    return {key: name for group in groups_with(member) for key, name in group.names.items()}


def _dismiss_sign_up(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"members": sorted(_alike(member))}


def _foresee_dismissal(member: User) -> Text:
    names = ", ".join(_alike(member).values())
    return gettext("{names} will leave the moderation queue.").format(names=names)


# -- By name ---------------------------------------------------------------------------------------


_ACTIONS: Final = (
    member_action(
        DISMISS,
        _("Dismiss sign-up"),
        _(
            "The accounts stay as they are, and their group leaves the moderation queue. It comes "
            "back if another account joins it. Nobody is notified."
        ),
        _dismiss_sign_up,
        against=_unsuspicious,
        foresee=_foresee_dismissal,
    ),
    member_action(
        "warn",
        _("Warn member"),
        _(
            "The member must read the reason and confirm this before playing again. Clocks keep "
            "running. The member gets an email."
        ),
        _warn,
        against=_program,
        read_by=READ_BY_MEMBER,
    ),
    member_action(
        "mute",
        _("Mute member"),
        _(
            "The member cannot write in chats but can play. They see the reason and the end date by "
            "email and on their account status page. Without an end date, the mute applies until "
            "someone lifts it."
        ),
        _mute,
        MuteForm,
        against=_program,
        foresee=_foresee_mute,
        read_by=READ_BY_MEMBER,
        presets=(
            _mute_preset("day", _("Mute for a day"), timedelta(days=1)),
            _mute_preset("week", _("Mute for a week"), timedelta(days=7)),
        ),
    ),
    member_action(
        "suspend",
        _("Suspend member"),
        _(
            "The member can log in only to read the reason, appeal and download their data. Games "
            "and clocks go on. If the member runs out of time, the game’s own rule applies. The "
            "member gets an email."
        ),
        _suspend,
        SuspendForm,
        read_by=READ_BY_MEMBER,
    ),
    member_action(
        "ban",
        _("Ban member"),
        _(
            "Like a suspension, but without an end date. The member is logged out everywhere. "
            "Computer players take over the seats right away. Open games go on without the member, "
            "and invitations are withdrawn. If you lift the ban, the member does not get the seats "
            "back. The member gets an email."
        ),
        _ban,
        foresee=lambda member: _("This ban is for ever, unless someone lifts it."),
        read_by=READ_BY_MEMBER,
    ),
    member_action(
        "lift",
        _("Lift sanction"),
        _("Ends the sanction now. The member gets an email with the reason."),
        _lift,
        LiftForm,
        against=_nothing_to_lift,
        read_by=READ_BY_MEMBER,
    ),
    member_action(
        "reply",
        _("Reply to appeal"),
        _(
            "The member reads the reply by email and on their account status page. Nothing else "
            "changes. To end the sanction, lift it instead. That also counts as a reply. The reason "
            "is only for the audit log."
        ),
        _reply,
        ReplyForm,
        against=_nothing_to_reply,
    ),
    member_action(
        "sign-out",
        _("Log out everywhere"),
        _("Logs the member out on all devices. The password stays the same. The member is not notified."),
        _sign_out,
    ),
    member_action(
        "revoke-tokens",
        _("Revoke tokens"),
        _(
            "The tokens of the member and their bots stop working. The member can create new ones. "
            "The member is not notified."
        ),
        _revoke_tokens,
    ),
    member_action(
        "rename",
        _("Rename member"),
        _(
            "Gives the member another name. Nobody, not even the member, can use the old name for 30 "
            "days. The member gets an email with the reason."
        ),
        _rename,
        RenameForm,
        against=_guest,
        read_by=READ_IN_MAIL,
    ),
    member_action(
        "anonymise",
        _("Anonymise member"),
        _(
            "Closes the account for good, as if its owner had deleted it. Computer players take over "
            "the seats. The name, address, settings, notes and messages are deleted. You cannot undo "
            "this. The member is not notified."
        ),
        _anonymise,
    ),
)

MEMBER_ACTIONS: Final[dict[str, Action]] = {action.name: action for action in (*_ACTIONS, *ACCOUNT_ACTIONS)}
