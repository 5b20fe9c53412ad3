"""The outbox of account mails: what waits in it, claims, and the results of attempts."""

import logging
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.mail import outbox
from accounts.mail.outbox import OutboxHealth
from accounts.models import AccountMail, User

# Long enough to answer questions about missing mail.
SETTLED_FOR = timedelta(days=30)

Kind, State = AccountMail.Kind, AccountMail.State

logger = logging.getLogger(__name__)


def waiting() -> QuerySet[AccountMail]:
    return AccountMail.objects.filter(state=State.WAITING)


def oldest_due(now: datetime) -> datetime | None:
    """The due time of the oldest row that is due, or None.

    A row that was put off is not due; `account_mail_health` says for how long it has waited.
    """
    return waiting().filter(due__lte=now).order_by("due").values_list("due", flat=True).first()


def account_mail_health(now: datetime) -> OutboxHealth:
    """Measure the outbox of accounts: what waits, since when, and what was given up."""
    return outbox.measure(waiting(), AccountMail.objects.all(), now)


def claim_account_mail() -> AccountMail | None:
    """Claim one mail that is due, so that one worker sends it; None when nothing is due."""
    passed: set[int] = set()
    now = timezone.now()
    due = waiting().filter(due__lte=now).order_by("due", "pk")
    # Read without a transaction first: on SQLite each transaction keeps all others from writing.
    while (first := due.exclude(pk__in=passed).first()) is not None:
        passed.add(first.pk)
        with transaction.atomic():
            row = _claim(first.pk, now)
        if row is not None:
            return row
    return None


def _claim(key: int, now: datetime) -> AccountMail | None:
    same = waiting().filter(pk=key, due__lte=now)
    row = same.select_for_update(skip_locked=outbox.can_skip_locked()).first()
    if row is None:
        return None
    if outbox.is_used_up(row):
        _settle(row, State.GIVEN_UP, outbox.LOST)
        logger.error("Gave up account mail %s: %s", row.pk, outbox.LOST)
        return None
    return row if outbox.claim_row(row, now, row.message_id or _new_message_id(row)) else None


def mark_sent(row: AccountMail) -> None:
    """Mark a claimed row as sent."""
    _settle(row, State.SENT)


def mark_dropped(row: AccountMail, why: str) -> None:
    """Drop a claimed row whose mail is not wanted any more, or was refused for good."""
    _settle(row, State.DROPPED, why)


def mark_failed(row: AccountMail, why: str) -> None:
    """Schedule the next attempt of a claimed row, or give it up after the last."""
    if outbox.is_used_up(row):
        _settle(row, State.GIVEN_UP, why)
        logger.error("Gave up account mail %s after %s attempts: %s", row.pk, row.attempts, why)
    else:
        _same(row).update(**outbox.failed(row, why))


def postpone(row: AccountMail, why: str) -> None:
    """Put a claimed row off because the server was unavailable; does not count as an attempt."""
    _same(row).update(**outbox.postponed(why))


def send_once_more(chosen: QuerySet[AccountMail]) -> int:
    """Let those of the rows that were given up wait again; return how many."""
    return chosen.filter(state=State.GIVEN_UP).update(**outbox.sent_again())


def delete_account_mails(user: User) -> None:
    """Delete all mails about the account, sent or not, before its addresses are deleted."""
    addresses = EmailAddress.objects.filter(user=user).values_list(Lower("email"))
    AccountMail.objects.filter(Q(user=user) | Q(user=None, address__in=addresses)).delete()


def delete_settled(now: datetime) -> int:
    """Delete the rows that were settled long ago; return how many."""
    return AccountMail.objects.filter(settled__lt=now - SETTLED_FOR).delete()[0]


def _settle(row: AccountMail, state: str, outcome: str = "") -> None:
    # A mail that was given up may be sent again.
    facts = row.facts if state == State.GIVEN_UP else {}
    _same(row).update(**outbox.settled(state, outcome), facts=facts)


def _same(row: AccountMail) -> QuerySet[AccountMail]:
    return AccountMail.objects.filter(pk=row.pk)


def _new_message_id(row: AccountMail) -> str:
    return f"<account.{row.pk}.{row.made:%Y%m%d%H%M%S}@{urlsplit(settings.SITE_URL).hostname}>"
