"""What the actions about members do: each runs in the transaction that writes the audit entry."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import leaving, naming, sanctions, sessions, telling
from accounts.services.refusals import ActionRefused, WrongInput
from accounts.services.sanctions import Kind

from .replies import REPLIES


def warn(member: User, *, by: User | None, reason: str) -> None:
    sanctions.impose(member, Kind.WARNING, reason=reason, by=by)


def mute(member: User, *, by: User | None, reason: str, until: date | None) -> None:
    sanctions.impose(member, Kind.MUTE, reason=reason, by=by, until=end_of(until) if until else None)


def suspend(member: User, *, by: User | None, reason: str, until: date) -> None:
    sanctions.impose(member, Kind.SUSPENSION, reason=reason, by=by, until=end_of(until))


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


def rename(member: User, *, by: User | None, reason: str, name: str) -> None:
    member = User.objects.select_for_update().get(pk=member.pk)
    old = member.username
    if name == old:
        raise WrongInput(_("The member is called so already."), "name")
    try:
        naming.rename(member, name, may_go_back=False)
    except ValidationError as error:
        raise WrongInput(" ".join(error.messages), "name") from error
    transaction.on_commit(partial(telling.renamed, member, old, reason), robust=True)


def anonymise(member: User, *, by: User | None, reason: str) -> None:
    try:
        leaving.delete_account(member)
    except leaving.LastAdministrator as error:
        raise ActionRefused(_("Nobody could look after the site without this account.")) from error


def end_of(day: date) -> datetime:
    """The moment at which a day is over, by the clock of the site."""
    return timezone.make_aware(
        datetime.combine(day + timedelta(days=1), time()), timezone.get_default_timezone()
    )
