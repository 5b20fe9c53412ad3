"""The time that a player usually takes for a decision, from what everybody may know."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import pairwise
from statistics import median

from games.log.public_times import to_minute
from games.models import LogEntry, Seat

# Fewer decisions tell more about chance than about the player.
MIN_DECISIONS = 5


def usual_wait(entries: Sequence[LogEntry], seat: Seat, gone: Collection[int] = ()) -> timedelta | None:
    """The median time that the seat's player took until the first move each time they were asked, or None.

    `entries` are consecutive, oldest first, and `gone` the numbers of those taken back. The log shows all
    that this depends on: times to the minute, and nothing about moves that were planned or ordered.
    """
    waits = [
        to_minute(entry.created_at) - to_minute(before.created_at)
        for before, entry in pairwise(entries)
        if _answers_anew(before, entry, seat) and entry.number not in gone
    ]
    return median(waits) if len(waits) >= MIN_DECISIONS else None  # type: ignore[type-var]


def _answers_anew(before: LogEntry, entry: LogEntry, seat: Seat) -> bool:
    """Return whether an entry is the first move of the seat's present player after somebody else's entry."""
    return (
        entry.kind == LogEntry.Kind.MOVE
        and (entry.seat, entry.user_id) == (seat.number, seat.user_id)
        and before.seat != entry.seat
    )
