"""Imposing, lifting and reading sanctions, and appeals against them.

The effect of sanctions is also stored in the member's row, which every request and every lock of the member
reads anyway. A sanction with an end needs no action to end.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail import account_mails
from accounts.membership.sessions import end_sessions
from accounts.models import Appeal, Sanction, User
from accounts.models.sanction import MAX_APPEAL_LENGTH, NO_END
from accounts.refusals import AppealRejected, Refusal
from accounts.signals import member_banned

Kind = Sanction.Kind

MAX_APPEALS = 3

TOLD_AT_ONCE = 50

_SHUTS_OUT = (Kind.SUSPENSION, Kind.BAN)


@transaction.atomic
def impose(
    member: User, kind: str, *, reason: str, by: User | None, until: datetime | None = None
) -> Sanction:
    """Impose a sanction on a member, notify the member and return the sanction.

    Replaces one of the same kind in force, except for warnings, of which there may be several. A ban ends the
    member's sessions and hands over the member's seats (`member_banned`). `by` is None for the operator at
    the shell. Raises Refusal.
    """
    member = _lock(member)
    if until is not None and until <= timezone.now():
        raise Refusal(_("The end date must be in the future. Choose a later day."))
    if until is not None and until >= NO_END:
        raise Refusal(_("This date is too far ahead. Leave the end date empty instead."))
    same = member.sanctions.active().filter(kind=kind)
    if same.filter(reason=reason, until=until).exists():
        raise Refusal(_("The same sanction already applies. Change its reason or its end date."))
    if kind != Kind.WARNING:
        same.update(lifted=timezone.now(), lifted_by=by, lifted_why=_("Replaced by a newer one."))
    sanction = Sanction.objects.create(member=member, kind=kind, reason=reason, by=by, until=until)
    _update_member_row(member)
    if kind == Kind.BAN:
        end_sessions(member)
        for one in [member, *User.objects.filter(program__owner=member)]:
            member_banned.send(sender=User, user=one)
    account_mails.mail_sanction_imposed(sanction)
    return sanction


@transaction.atomic
def lift(member: User, kind: str, *, reason: str, by: User | None) -> list[Sanction]:
    """Lift the sanctions of this kind in force, tell the member and return them. Raises Refusal."""
    member = _lock(member)
    lifted = list(member.sanctions.active().filter(kind=kind))
    if not lifted:
        raise Refusal(_("This member has no sanction of this kind."))
    for sanction in lifted:
        sanction.lifted, sanction.lifted_by, sanction.lifted_why = timezone.now(), by, reason
        sanction.save(update_fields=["lifted", "lifted_by", "lifted_why"])
        sanction.appeals.filter(replied=None).update(replied=timezone.now(), replied_by=by, reply=reason)
    _update_member_row(member)
    for sanction in lifted:
        account_mails.mail_sanction_lifted(sanction)
    return lifted


@transaction.atomic
def notify_ended_sanctions(now: datetime) -> int:
    """Tell members of sanctions that have run out by `now`, each once; return how many.

    The sanction ends whether or not this runs. Safe to call from several processes at once.
    """
    over = Sanction.objects.filter(until__lte=now, lifted=None, end_told=None).order_by("until")
    skip = connection.features.has_select_for_update_skip_locked
    told = list(over.select_for_update(skip_locked=skip)[:TOLD_AT_ONCE])
    for sanction in told:
        sanction.end_told = now
        sanction.save(update_fields=["end_told"])
        account_mails.mail_sanction_ended(sanction)
    return len(told)


@transaction.atomic
def read_warning(member: User, key: int) -> bool:
    """Mark a warning as read and return whether it exists; may be repeated."""
    member = _lock(member)
    warning = member.sanctions.filter(pk=key, kind=Kind.WARNING).first()
    if warning is None:
        return False
    if warning.read is None:
        warning.read = timezone.now()
        warning.save(update_fields=["read"])
        _update_member_row(member)
    return True


@transaction.atomic
def appeal(member: User, key: int, text: str) -> Appeal | None:
    """Store an appeal and return it; None if there is no sanction with this key.

    Sending the same text again returns the same appeal. Raises AppealRejected if an appeal waits for a reply,
    if there were too many, if the sanction is over, and if the text is empty or too long.
    """
    member = _lock(member)
    sanction = member.sanctions.filter(pk=key).first()
    if sanction is None:
        return None
    words = text.replace("\r\n", "\n").strip()
    said = list(sanction.appeals.all())
    if said and said[-1].replied is None and said[-1].text == words:
        return said[-1]
    if _is_over(sanction):
        raise AppealRejected(_("This has ended, so there is nothing to appeal."))
    if said and said[-1].replied is None:
        raise AppealRejected(_("Your appeal is waiting for a reply. You can write again after that."))
    if len(said) >= MAX_APPEALS:
        raise AppealRejected(
            ngettext(
                "You have appealed {n} time, which is the limit.",
                "You have appealed {n} times, which is the limit.",
                MAX_APPEALS,
            ).format(n=MAX_APPEALS)
        )
    if not words:
        raise AppealRejected(_("Your text is empty. Write something first."))
    if len(words) > MAX_APPEAL_LENGTH:
        over = len(words) - MAX_APPEAL_LENGTH
        raise AppealRejected(
            ngettext(
                "Your text is {n} character too long. Shorten it and send it again.",
                "Your text is {n} characters too long. Shorten it and send it again.",
                over,
            ).format(n=over)
        )
    return Appeal.objects.create(sanction=sanction, text=words)


@transaction.atomic
def reply(member: User, words: str, *, by: User | None) -> list[Appeal]:
    """Reply to all unanswered appeals of the member, tell the member and return the appeals.

    Raises Refusal if there are none.
    """
    member = _lock(member)
    waiting = list(open_appeals().filter(sanction__member=member))
    if not waiting:
        raise Refusal(_("No appeal from this member is waiting for a reply."))
    for one in waiting:
        one.reply, one.replied, one.replied_by = words, timezone.now(), by
        one.save(update_fields=["reply", "replied", "replied_by"])
    account_mails.mail_appeal_reply(member, waiting[-1])
    return waiting


def can_appeal(sanction: Sanction, said: list[Appeal]) -> bool:
    """Return whether the member, after these appeals, can appeal against the sanction now."""
    return not _is_over(sanction) and len(said) < MAX_APPEALS and all(one.replied for one in said)


def open_appeals() -> QuerySet[Appeal]:
    """Appeals that wait for a reply, the oldest first."""
    return Appeal.objects.filter(replied=None).select_related("sanction__member")


def _is_over(sanction: Sanction) -> bool:
    """Return whether no appeal is possible any more. A warning can be appealed even when it was read."""
    ended = sanction.lifted if sanction.kind == Kind.WARNING else sanction.ended
    return ended is not None


def _lock(member: User) -> User:
    """Lock the member's row and return it."""
    return User.objects.select_for_update(no_key=True).get(pk=member.pk)


def _update_member_row(member: User) -> None:
    """Store the effect of the current sanctions in the member's row."""
    standing = list(member.sanctions.active())
    member.has_unread_warning = any(one.kind == Kind.WARNING for one in standing)
    member.muted_until = _latest(one for one in standing if one.kind == Kind.MUTE)
    member.suspended_until = _latest(one for one in standing if one.kind in _SHUTS_OUT)
    member.save(update_fields=["has_unread_warning", "muted_until", "suspended_until"])


def _latest(sanctions: Iterable[Sanction]) -> datetime | None:
    return max((one.until or NO_END for one in sanctions), default=None)
