"""Rows of the outbox: what waits, and what a row says that waits no more."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import DeliveryAttempt, Endpoint, Kind, Notification
from games.models.playable_systems import withheld_systems

# After the first failed attempt, the second and so on; after one more it is given up.
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 360))


def waiting() -> QuerySet[Notification]:
    return Notification.objects.filter(state=Notification.State.WAITING)


def sendable() -> QuerySet[Notification]:
    """What waits, less the news of games that are not shown: it waits until they are again.

    That a moderator has deleted one is told. What a game asks that a moderator has paused waits as well.
    """
    out = withheld_systems()
    rows = waiting().filter(Q(game__deleted=None) | Q(kind=Kind.MODERATED))
    rows = rows.filter(Q(game__held_at=None) | ~Q(kind__in=(Kind.DECISION, Kind.REMINDER)))
    return rows.exclude(game__system__in=out) if out else rows


def oldest_due(now: datetime) -> datetime | None:
    """Since when something has been due; None when nothing is."""
    return sendable().filter(due__lte=now).order_by("due").values_list("due", flat=True).first()


def backoff_until(endpoint: Endpoint) -> datetime | None:
    """Until when an endpoint that failed last time is left alone; None for one that did not.

    So a burst of news that it does not take is one failure, and the next comes after the back-off.
    """
    deliveries = DeliveryAttempt.objects.filter(endpoint=endpoint, trial=False).order_by("-at", "-pk")
    last = deliveries.values_list("at", "outcome").first()
    if last is None or last[1] == DeliveryAttempt.Outcome.HANDED_OVER:
        return None
    # What is only to come later counts as no failure, and waits as for the first.
    step = min(max(endpoint.failures, 1), len(BACK_OFF)) - 1
    return last[0] + BACK_OFF[step]


def dropped(why: str) -> dict[str, Any]:
    """The columns of a row that nobody needs any more."""
    return settled(Notification.State.DROPPED, why)


def resend_columns() -> dict[str, Any]:
    """The columns of a row that is sent again, as a new message."""
    again = {"state": Notification.State.WAITING, "due": timezone.now(), "settled": None}
    return {**again, "attempts": 0, "message_id": "", "outcome": "", "digest": False}


def settled(state: str, outcome: str = "") -> dict[str, Any]:
    """The columns of a row that is done with."""
    return {"state": state, "settled": timezone.now(), "outcome": outcome[:300]}
