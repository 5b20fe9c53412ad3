"""Queries and column values of outbox rows."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import DeliveryAttempt, Endpoint, Kind, Notification
from games.models.playable_systems import withheld_systems

# Delays after the first failed attempt, the second and so on; one more failure gives the row up.
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 360))


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
    """The due time of the oldest row that is due, or None."""
    return sendable().filter(due__lte=now).order_by("due").values_list("due", flat=True).first()


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


def dropped(why: str) -> dict[str, Any]:
    """The columns of a row that is no longer needed."""
    return settled(Notification.State.DROPPED, why)


def resend_columns() -> dict[str, Any]:
    """The columns of a row that is sent again, as a new message."""
    again = {"state": Notification.State.WAITING, "due": timezone.now(), "settled": None}
    return {**again, "attempts": 0, "message_id": "", "outcome": "", "digest": False}


def settled(state: str, outcome: str = "") -> dict[str, Any]:
    """The columns of a settled row."""
    return {"state": state, "settled": timezone.now(), "outcome": outcome[:300]}
