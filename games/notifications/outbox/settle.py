"""Record the result of a delivery attempt."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.mail import outbox
from accounts.mail.addresses import stop_mail_of_members
from accounts.mail.outbox import dropped, settled
from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, Notification
from games.notifications import deadlines, delivery_times, preferences
from games.notifications.outbox.claim import Claim
from games.notifications.outbox.outbox_rows import backoff_until, waiting

# Failed attempts in a row after which an endpoint is stopped.
MAX_FAILURES = 5


@transaction.atomic
def mark_sent(claim: Claim, subject: str, told: Sequence[Notification] | None = None) -> None:
    """Mark the claim as sent; `told` are the rows in the mail, all of them by default."""
    sent = {row.pk for row in (claim.rows if told is None else told)}
    Notification.objects.filter(pk__in=sent).update(**settled(Notification.State.SENT))
    _leave_out([row for row in claim.rows if row.pk not in sent], "over")
    _note(claim, subject, DeliveryAttempt.Outcome.HANDED_OVER)
    if claim.endpoint:
        Endpoint.objects.filter(pk=claim.endpoint.pk).update(failures=0, trouble="")


@transaction.atomic
def mark_dropped(claim: Claim, why: str) -> None:
    """Drop a claim that turned out to be obsolete while it was composed."""
    _leave_out(claim.rows, why)


@transaction.atomic
def postpone(claim: Claim, why: str) -> None:
    """Put the claim off because the server was unavailable; does not count as an attempt."""
    _rows(claim).update(**outbox.postponed(why))


@transaction.atomic
def mark_failed(claim: Claim, subject: str, why: str, *, later: bool = False) -> None:
    """Record a failed attempt and schedule the next, unless it was the last.

    `later` means that the receiver asked for a later attempt, which is no failure of an endpoint.
    """
    if claim.endpoint and not later:
        _count_failure(claim.endpoint, why)
    limit = _latest_retry(claim)
    for row in claim.rows:
        columns = outbox.failed(row, why)
        if limit is not None and "due" in columns:
            columns["due"] = min(columns["due"], limit)
        Notification.objects.filter(pk=row.pk).update(**columns)
    given_up = any(outbox.is_used_up(row) for row in claim.rows)
    _note(
        claim, subject, DeliveryAttempt.Outcome.GIVEN_UP if given_up else DeliveryAttempt.Outcome.FAILED, why
    )


@transaction.atomic
def mark_refused(claim: Claim, subject: str, why: str) -> None:
    """Drop the claim and stop its endpoint or address, which refuses all messages."""
    _rows(claim).update(**dropped(why))
    _note(claim, subject, DeliveryAttempt.Outcome.REFUSED, why)
    if claim.endpoint:
        stop_endpoint(claim.endpoint, why)
    else:
        stop_mail(claim.address, why)


def stop_mail(address: str, why: str) -> bool:
    """Stop all mail to an address; return whether it belongs to a member, who is shown the reason."""
    if stop_mail_of_members(address, why):
        return True
    preferences.unsubscribe_address(address, why)
    return False


def stop_endpoint(endpoint: Endpoint, why: str) -> None:
    """Stop an endpoint and drop its waiting rows; its owner is shown the reason."""
    Endpoint.objects.filter(pk=endpoint.pk).update(stopped=timezone.now(), trouble=why[:300])
    waiting().filter(endpoint=endpoint).update(**dropped("endpoint given up"))


def _count_failure(endpoint: Endpoint, why: str) -> None:
    """Count a failure, unless another worker has just counted one."""
    now = Endpoint.objects.select_for_update().filter(pk=endpoint.pk).first()
    if now is None or ((rested := backoff_until(now)) and rested > timezone.now()):
        return
    Endpoint.objects.filter(pk=now.pk).update(failures=F("failures") + 1, trouble=why[:300])
    if now.failures + 1 >= MAX_FAILURES:
        stop_endpoint(endpoint, why)


def note_trial(user: User, subject: str, outcome: str, why: str = "", **where: Any) -> None:
    """Record the delivery attempt of a test message."""
    DeliveryAttempt.objects.create(
        user=user, subject=subject[:250], outcome=outcome, detail=why[:300], trial=True, **where
    )


def _leave_out(rows: Sequence[Notification], why: str) -> None:
    """Drop the rows that were not sent; a row that a ruling moved to another version stays waiting."""
    for row in rows:
        same = Notification.objects.filter(pk=row.pk)
        if not same.filter(version=row.version).update(**dropped(why)):
            same.update(message_id="")


def _latest_retry(claim: Claim) -> datetime | None:
    """The time up to which a failed mail may be put off: half of the least time that a reader has left."""
    if claim.endpoint is not None:
        return None  # An endpoint that fails is left alone, whatever waits for it.
    now = timezone.now()
    ends = [deadline for row in claim.rows if (deadline := deadlines.deadline_of(row)) and deadline > now]
    return delivery_times.latest(now, min(ends, default=None))


def _rows(claim: Claim) -> QuerySet[Notification]:
    return Notification.objects.filter(pk__in=[row.pk for row in claim.rows])


def _note(claim: Claim, subject: str, outcome: str, why: str = "") -> None:
    DeliveryAttempt.objects.create(
        user=claim.user,
        endpoint=claim.endpoint,
        address=claim.address if claim.endpoint is None else "",
        message_id=claim.message_id,
        subject=subject[:250],
        outcome=outcome,
        detail=why[:300],
    )
