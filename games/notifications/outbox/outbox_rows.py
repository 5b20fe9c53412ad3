"""Queries and column values of outbox rows."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts.mail import outbox
from accounts.mail.outbox import BACK_OFF, OutboxHealth
from games.models import DeliveryAttempt, Endpoint, Kind, Notification
from games.models.playable_systems import withheld_systems


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


def notification_health(now: datetime) -> OutboxHealth:
    """Measure the outbox of the games: what waits, since when, and what was given up."""
    return outbox.measure(sendable(), Notification.objects.exclude(game__system__in=withheld_systems()), now)


def backoff_until(endpoint: Endpoint) -> datetime | None:
    """Return the time up to which an endpoint that failed last time is left alone, or None.

    A burst of notifications to a broken endpoint thus counts as one failure.
    """
    deliveries = DeliveryAttempt.objects.filter(endpoint=endpoint, trial=False).order_by("-at", "-pk")
    last = deliveries.values_list("at", "outcome").first()
    if last is None or last[1] == DeliveryAttempt.Outcome.HANDED_OVER:
        return None
    # An answer that asks for a later attempt counts as no failure, but waits like the first one.
    step = min(max(endpoint.failures, 1), len(BACK_OFF)) - 1
    return last[0] + BACK_OFF[step]


def resend_columns() -> dict[str, Any]:
    """The columns of a row that is sent again, as a new message."""
    return {**outbox.sent_again(), "digest": False}
