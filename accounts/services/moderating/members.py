"""The actions about members by name, for the admin's pages and for commands alike."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.actions import Action, Field
from accounts.services.fields import Choice, Text
from accounts.services.sanctions import Kind, open_appeals

from . import doing
from .replies import REPLIES

PERMISSION: Final = "accounts.manage_member"

READ_BY_MEMBER: Final = _("The member reads it word for word, by mail and on the page about it.")
READ_IN_MAIL: Final = _("The member reads it word for word, in the mail about it.")

UNTIL = Field("until", _("Until"), "moment")


def bars(member: User, by: User) -> Text | None:
    """Nobody acts on the own account, and on that of a colleague only who looks after the whole site."""
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
    return None if member.sanctions.standing().exists() else _("Nothing stands against this member.")


def _nothing_to_reply(member: User) -> Text | None:
    if gone := _gone(member):
        return gone
    waiting = open_appeals().filter(sanction__member=member)
    return None if waiting.exists() else _("No answer of this member waits for a reply.")


def _guest(member: User) -> Text | None:
    return _gone(member) or (_("A guest has a made-up name in any case.") if member.is_guest else None)


def _program(member: User) -> Text | None:
    if member.is_program and not _gone(member):
        return _("This is a program: it reads and says nothing. Turn to its owner, or suspend it.")
    return _gone(member)


def _standing_kinds(member: User) -> list[Choice]:
    held = set(member.sanctions.standing().values_list("kind", flat=True))
    return [(kind.value, kind.label) for kind in Kind if kind in held]


def _actions() -> Iterable[Action]:
    def action(
        name: str,
        label: Text,
        sentence: Text,
        run: Callable[..., Any],
        *fields: Field,
        against: Callable[[User], Text | None] = _gone,
        read_by: Text = "",
    ) -> Action:
        return Action(name, label, sentence, PERMISSION, run, fields, against, bars, read_by=read_by)

    yield action(
        "warn",
        _("Warn"),
        _(
            "The member reads the reason before playing on, and says so by a press. Clocks go on meanwhile."
            " The member is told by mail."
        ),
        doing.warn,
        against=_program,
        read_by=READ_BY_MEMBER,
    )
    yield action(
        "mute",
        _("Mute"),
        _(
            "The member says nothing at any table, and plays on. The reason and the end are told by mail"
            " and on the member’s page about it. Without an end it holds until it is lifted."
        ),
        doing.mute,
        replace(UNTIL, required=False),
        against=_program,
        read_by=READ_BY_MEMBER,
    )
    yield action(
        "suspend",
        _("Suspend"),
        _(
            "The member may log in only to read the reason, answer, and take the own data along. Games go on"
            " and so do clocks: when time is over, what the table has chosen for that happens. The member is"
            " told by mail."
        ),
        doing.suspend,
        UNTIL,
        read_by=READ_BY_MEMBER,
    )
    yield action(
        "ban",
        _("Ban"),
        _(
            "The same as to suspend, without an end. The member is logged out everywhere, computers take over"
            " the seats at once, open games go on without the member, and invitations are withdrawn. Lifted"
            " later, the seats are not given back. The member is told by mail."
        ),
        doing.ban,
        read_by=READ_BY_MEMBER,
    )
    yield action(
        "lift",
        _("Lift"),
        _("Ends what stands against the member, now. The member is told by mail, with the reason."),
        doing.lift,
        Field("kind", _("What to lift"), "choice", _standing_kinds),
        against=_nothing_to_lift,
        read_by=READ_BY_MEMBER,
    )
    yield action(
        "reply",
        _("Reply to an answer"),
        _(
            "The member reads the reply by mail and on the page about it. Nothing else changes: to end what"
            " stands, lift it, which is a reply as well. The reason is for the audit alone."
        ),
        doing.reply,
        Field("reply", _("Reply"), "choice", [(name, label) for name, (label, _words) in REPLIES.items()]),
        Field("words", _("In your own words"), "text", required=False, help=_("Added to the reply.")),
        against=_nothing_to_reply,
    )
    yield action(
        "sign-out",
        _("Sign out everywhere"),
        _("Ends all sessions of the member, on all devices. The password stays. Nobody is told."),
        doing.sign_out,
    )
    yield action(
        "revoke-tokens",
        _("Revoke tokens"),
        _(
            "The tokens of the member and of the member’s programs open nothing any more. The member can make"
            " new ones. Nobody is told."
        ),
        doing.revoke_tokens,
    )
    yield action(
        "rename",
        _("Rename"),
        _(
            "Gives the member another name. Nobody, the member neither, can take the old one for thirty days."
            " The member is told by mail, with the reason."
        ),
        doing.rename,
        Field("new_name", _("New name"), "text", most=20),
        against=_guest,
        read_by=READ_IN_MAIL,
    )
    yield action(
        "anonymise",
        _("Anonymise"),
        _(
            "Closes the account for good, as if its owner had deleted it: computers take over the seats, and"
            " name, address, settings, notes and words are gone. It cannot be taken back. Nobody is told."
        ),
        doing.anonymise,
    )


MEMBER_ACTIONS: Final[dict[str, Action]] = {action.name: action for action in _actions()}
