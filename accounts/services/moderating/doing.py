"""What the actions about members do: each runs in the transaction that writes the audit entry."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import leaving, naming, sanctions, sessions, telling, tokens
from accounts.services.refusals import Refusal, WrongInput
from accounts.services.sanctions import Kind

from .replies import REPLIES


def warn(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.WARNING, reason=reason, by=by)


def mute(member: User, *, by: User | None, reason: str, until: datetime | None) -> None:
    sanctions.impose(member, Kind.MUTE, reason=reason, by=by, until=until)


def suspend(member: User, *, by: User | None, reason: str, until: datetime) -> None:
    sanctions.impose(member, Kind.SUSPENSION, reason=reason, by=by, until=until)


def ban(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.BAN, reason=reason, by=by)


def lift(member: User, *, by: User | None, reason: str, kind: str) -> None:
    sanctions.lift(member, kind, reason=reason, by=by)


def reply(member: User, *, by: User | None, reason: str, reply: str, words: str | None) -> None:
    whole = "\n\n".join(part for part in (str(REPLIES[reply][1]), words or "") if part)
    if not whole:
        raise WrongInput(_("Write the reply in your own words."), "words")
    sanctions.reply(member, whole, by=by)


def sign_out(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"sessions": sessions.end_sessions(member)}


def revoke_tokens(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    return {"tokens": tokens.revoke_all(member)}


def rename(member: User, *, by: User | None, reason: str, new_name: str) -> None:
    member = User.objects.select_for_update().get(pk=member.pk)
    old = member.username
    if new_name == old:
        raise WrongInput(_("The member is called so already."), "new_name")
    try:
        naming.rename(member, new_name, may_go_back=False)
    except ValidationError as error:
        raise WrongInput(" ".join(error.messages), "new_name") from error
    transaction.on_commit(partial(telling.renamed, member, old, reason), robust=True)


def anonymise(member: User, *, by: User | None, reason: str) -> None:
    try:
        leaving.delete_account(member)
    except leaving.LastAdministrator as error:
        raise Refusal(_("Nobody could look after the site without this account.")) from error
