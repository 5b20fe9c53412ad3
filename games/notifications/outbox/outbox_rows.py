"""Queries and column values of outbox rows."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts.mail import outbox
from accounts.mail.outbox import BACK_OFF, OutboxHealth
from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, Kind, Notification
from games.models.playable_systems import withheld_systems
from games.notifications import delivery_times


def waiting() -> QuerySet[Notification]:
    return Notification.objects.filter(state=Notification.State.WAITING)


def sendable() -> QuerySet[Notification]:
    """The waiting rows, without those of withheld, deleted or paused games.

    A moderator's actions are sent even when the game was deleted; a paused game holds back decisions and
    reminders only.
    """
    out = withheld_systems()
    rows = waiting().filter(Q(game__deleted=None) | Q(kind=Kind.MODERATED))
    rows = rows.filter(Q(game__held_at=None) | ~Q(kind__in=(Kind.DECISION, Kind.REMINDER)))
    return rows.exclude(game__system__in=out) if out else rows


def oldest_due(now: datetime) -> datetime | None:
    """The due time of the oldest row that is due, or None.

    A row that was put off is not due; `notification_health` says for how long it has waited.
    """
    return sendable().filter(due__lte=now).order_by("due").values_list("due", flat=True).first()


def dues(after: datetime, until: datetime) -> Iterable[datetime]:
    """The times in this period at which rows will be due, in order."""
    rows = sendable().filter(due__gt=after, due__lte=until).order_by("due")
    return rows.values_list("due", flat=True)


def has_due_mail(now: datetime) -> bool:
    """Return whether a mail is due, though it may turn out not to be needed."""
    return sendable().filter(due__lte=now, endpoint=None).exists()


def notification_health(now: datetime) -> OutboxHealth:
    """Measure the outbox of the games: what waits, since when, and what mail was given up.

    An endpoint that does not take a message is its owner's business, so it counts until its first attempt.
    """
    own_trouble = Q(endpoint__isnull=False, first_due__isnull=False)
    mails = Notification.objects.filter(endpoint=None).exclude(game__system__in=withheld_systems())
    return outbox.measure(sendable().exclude(own_trouble), mails, now)


def backoff_until(endpoint: Endpoint) -> datetime | None:
    """Return the time up to which an endpoint that failed last time is left alone, or None.

    A burst of notifications to a broken endpoint thus counts as one failure. A test message that it takes
    ends the wait; one that it does not take is nothing new.
    """
    taken = Q(outcome=DeliveryAttempt.Outcome.HANDED_OVER)
    deliveries = DeliveryAttempt.objects.filter(Q(trial=False) | taken, endpoint=endpoint)
    deliveries = deliveries.order_by("-at", "-pk")
    last = deliveries.values_list("at", "outcome").first()
    if last is None or last[1] == DeliveryAttempt.Outcome.HANDED_OVER:
        return None
    # An answer that asks for a later attempt counts as no failure, but waits like the first one.
    step = min(max(endpoint.failures, 1), len(BACK_OFF)) - 1
    return last[0] + BACK_OFF[step]


def mails_since_digest(user: User, now: datetime, message_id: str = "") -> int:
    """The number of mails to the user since the last digest, with those under way except this one."""
    since = delivery_times.last_digest(user, now)
    handed = DeliveryAttempt.objects.filter(
        user=user, endpoint=None, outcome=DeliveryAttempt.Outcome.HANDED_OVER, at__gte=since, trial=False
    )
    under_way = waiting().filter(user=user, endpoint=None).exclude(message_id__in=["", message_id])
    return handed.count() + under_way.values("message_id").distinct().count()


def is_limit_told(user: User, now: datetime, message_id: str = "") -> bool:
    """Return whether another mail since the last digest, sent or under way, tells of the limit."""
    mails = Notification.objects.filter(user=user, endpoint=None, tells_limit=True)
    mails = mails.exclude(message_id__in=["", message_id])
    since = delivery_times.last_digest(user, now)
    sent = Q(state=Notification.State.SENT, settled__gte=since)
    return mails.filter(sent | Q(state=Notification.State.WAITING)).exists()


def resend_columns() -> dict[str, Any]:
    """The columns of a row that is sent again, as a new message."""
    return {**outbox.sent_again(), "digest": False, "tells_limit": False}
