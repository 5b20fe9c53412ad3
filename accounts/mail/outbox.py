"""Claims, attempts and results of the rows of any outbox.

A row is claimed by moving `due` a little ahead if the row is unchanged, so only one of several workers gets
it, and a worker that dies leaves it due again. The Message-ID stays the same over all attempts.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F, Min, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models.outbox_row import OutboxRow

# Longer than any attempt to send takes.
CLAIM = timedelta(minutes=2)

# Delays after the first failed attempt, the second and so on; one more failure gives the row up.
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 360))

# Rows that were given up count as trouble for this time.
GIVEN_UP_FOR = timedelta(days=7)

# The outcome of a row whose worker died during the last attempt.
LOST = "nobody lived to tell how the last attempt went"

State = OutboxRow.State


@dataclass(frozen=True)
class OutboxHealth:
    """The state of an outbox, for operators: rows that are due or were put off, and rows given up lately.

    `oldest_due` is when the oldest of the waiting rows was first due, however often it was put off.
    """

    waiting: int
    oldest_due: datetime | None
    given_up: int
    last_given_up: datetime | None

    def age_seconds(self, now: datetime) -> float:
        """Return how many seconds the oldest row has waited; 0 if none is waiting.

        Negative if a wrong clock has dated all of them in the future.
        """
        return (now - self.oldest_due).total_seconds() if self.oldest_due else 0.0


def claim_row(row: OutboxRow, now: datetime, message_id: str) -> bool:
    """Move the row's due time ahead; return whether this worker was the first to do so."""
    same = type(row)._default_manager.filter(pk=row.pk, state=State.WAITING, due=row.due)
    taken = same.update(
        due=now + CLAIM,
        first_due=Coalesce("first_due", "due"),
        attempts=F("attempts") + 1,
        message_id=message_id,
    )
    row.attempts, row.message_id, row.first_due = row.attempts + 1, message_id, row.first_due or row.due
    return taken == 1


def can_skip_locked() -> bool:
    """Return whether the database can leave out rows that others have locked."""
    return connection.features.has_select_for_update_skip_locked


def is_used_up(row: OutboxRow) -> bool:
    """Return whether the row has had all its attempts; its worker died during the last one."""
    return row.attempts > len(BACK_OFF)


def settled(state: str, outcome: str = "") -> dict[str, Any]:
    """The columns of a settled row."""
    return {"state": state, "settled": timezone.now(), "outcome": outcome[:300]}


def dropped(why: str) -> dict[str, Any]:
    """The columns of a row that is no longer needed."""
    return settled(State.DROPPED, why)


def failed(row: OutboxRow, why: str) -> dict[str, Any]:
    """The columns of a claimed row after a failed attempt: the next attempt, or given up."""
    if is_used_up(row):
        return settled(State.GIVEN_UP, why)
    return {"due": timezone.now() + BACK_OFF[row.attempts - 1], "outcome": why[:300]}


def postponed(why: str) -> dict[str, Any]:
    """The columns of a claimed row when the server was unavailable, which counts as no attempt."""
    return {"due": timezone.now() + BACK_OFF[0], "attempts": F("attempts") - 1, "outcome": why[:300]}


def sent_again() -> dict[str, Any]:
    """The columns of a settled row that is sent again, as a new message."""
    again = {"state": State.WAITING, "due": timezone.now(), "first_due": None, "settled": None}
    return {**again, "attempts": 0, "message_id": "", "outcome": ""}


def measure(sendable: QuerySet[Any], rows: QuerySet[Any], now: datetime) -> OutboxHealth:
    """Measure an outbox by its waiting rows that may be sent and all its rows."""
    first = Coalesce("first_due", "due")
    # A row that has been tried was due, even if a wrong clock dated it in the future.
    late = sendable.order_by().alias(first=first).filter(Q(first__lte=now) | Q(first_due__gt=now))
    given_up = rows.filter(state=State.GIVEN_UP, settled__gt=now - GIVEN_UP_FOR)
    return OutboxHealth(
        waiting=late.count(),
        oldest_due=late.aggregate(oldest=Min(first))["oldest"],
        given_up=given_up.count(),
        last_given_up=given_up.order_by("-settled").values_list("settled", flat=True).first(),
    )
