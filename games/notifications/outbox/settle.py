"""What became of a claim."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, Notification
from games.notifications import preferences
from games.notifications.outbox.claim import Claim
from games.notifications.outbox.outbox_rows import BACK_OFF, backoff_until, dropped, settled, waiting

# So many failed attempts in a row and an endpoint is given up.
MOST_FAILURES = 5


@transaction.atomic
def mark_sent(claim: Claim, subject: str, told: Sequence[Notification] | None = None) -> None:
    """The other side has taken it; `told` are the rows that are in it, all of them unless given."""
    sent = {row.pk for row in (claim.rows if told is None else told)}
    Notification.objects.filter(pk__in=sent).update(**settled(Notification.State.SENT))
    _leave_out([row for row in claim.rows if row.pk not in sent], "over")
    _note(claim, subject, DeliveryAttempt.Outcome.HANDED_OVER)
    if claim.endpoint:
        Endpoint.objects.filter(pk=claim.endpoint.pk).update(failures=0, trouble="")


@transaction.atomic
def mark_dropped(claim: Claim, why: str) -> None:
    """It came to nothing while it was written."""
    _leave_out(claim.rows, why)


@transaction.atomic
def postpone(claim: Claim, why: str) -> None:
    """Nobody was there to take it: that was no attempt, and there will be one before long."""
    _rows(claim).update(due=timezone.now() + BACK_OFF[0], attempts=F("attempts") - 1, outcome=why[:300])


@transaction.atomic
def mark_failed(claim: Claim, subject: str, why: str, *, later: bool = False) -> None:
    """The attempt failed; there will be another one later, unless this was the last.

    `later` says that the other side asked for that, which is no failure of an endpoint.
    """
    if claim.endpoint and not later:
        _count_failure(claim.endpoint, why)
    given_up = False
    for row in claim.rows:
        if row.attempts > len(BACK_OFF):
            given_up = True
            change = settled(Notification.State.GIVEN_UP, why)
        else:
            change = {"due": timezone.now() + BACK_OFF[row.attempts - 1], "outcome": why[:300]}
        Notification.objects.filter(pk=row.pk).update(**change)
    _note(
        claim, subject, DeliveryAttempt.Outcome.GIVEN_UP if given_up else DeliveryAttempt.Outcome.FAILED, why
    )


@transaction.atomic
def mark_refused(claim: Claim, subject: str, why: str) -> None:
    """The other side wants nothing at this address, now or later."""
    _rows(claim).update(**dropped(why))
    _note(claim, subject, DeliveryAttempt.Outcome.REFUSED, why)
    if claim.endpoint:
        stop_endpoint(claim.endpoint, why)
    else:
        stop_mail(claim.address, why)


def stop_mail(address: str, why: str) -> bool:
    """Send nothing to an address any more; whether it is somebody's on the site, who reads why."""
    owners = User.objects.filter(emailaddress__in=confirmed_addresses().filter(email__iexact=address))
    if owners.update(mail_stopped=why[:300]):
        return True
    preferences.unsubscribe_address(address, why)
    return False


def stop_endpoint(endpoint: Endpoint, why: str) -> None:
    """Send nothing to an endpoint any more; its user reads why."""
    Endpoint.objects.filter(pk=endpoint.pk).update(stopped=timezone.now(), trouble=why[:300])
    waiting().filter(endpoint=endpoint).update(**dropped("endpoint given up"))


def _count_failure(endpoint: Endpoint, why: str) -> None:
    """Count a failure, unless another worker saw the same one a moment ago."""
    now = Endpoint.objects.select_for_update().filter(pk=endpoint.pk).first()
    if now is None or ((rested := backoff_until(now)) and rested > timezone.now()):
        return
    Endpoint.objects.filter(pk=now.pk).update(failures=F("failures") + 1, trouble=why[:300])
    if now.failures + 1 >= MOST_FAILURES:
        stop_endpoint(endpoint, why)


def note_trial(user: User, subject: str, outcome: str, why: str = "", **where: Any) -> None:
    """Note a message that was sent only to see whether it arrives."""
    DeliveryAttempt.objects.create(
        user=user, subject=subject[:250], outcome=outcome, detail=why[:300], trial=True, **where
    )


def _leave_out(rows: Sequence[Notification], why: str) -> None:
    """Drop what was not told. A row that a ruling took to another version meanwhile goes another time."""
    for row in rows:
        same = Notification.objects.filter(pk=row.pk)
        if not same.filter(version=row.version).update(**dropped(why)):
            same.update(message_id="")


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
