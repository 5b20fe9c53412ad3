"""Overloads: times in which web processes refuse requests because too many come at once.

No clock runs meanwhile. Each web process shows in its sign of life when it has refused requests. If that goes
on, the sweeper stores when it began, until it has given the time back.

Clocks stop for an hour a day at most. Otherwise anybody could stop them for ever by sending many requests.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Min
from django.utils import timezone

from games.clocks import machine_clock
from games.models import Heartbeat, ProcessSign

# An overload is over when no process has refused anything for this long.
QUIET = timedelta(seconds=30)

# Name of the heartbeat that exists during a long overload; its time is when that began.
MARK = "overload"

# Stopped clocks use up a budget, which is full after a day and then lasts for an hour. The heartbeat of this
# name has the time at which the budget would be empty if it did not refill.
USED_MARK = "overload budget"
BUDGET = timedelta(hours=1)
REFILLED_AFTER = timedelta(days=1)


@dataclass(frozen=True)
class Overload:
    """The times of the first and the last request refused so far, by this machine's clock."""

    began: datetime
    last: datetime


def underway() -> Overload | None:
    """Return the current overload, stored or not; None without one, and when the budget is used up."""
    offset = machine_clock.database_offset() or timedelta()
    since = timezone.now() - offset - QUIET
    signs = ProcessSign.objects.filter(at__gt=since, refused_at__gt=since)
    found = signs.aggregate(began=Min("refusing_since"), last=Max("refused_at"))
    if found["began"] is None:
        return None
    current = Overload(found["began"] + offset, found["last"] + offset)
    return current if _used_up_to(current.began) <= timezone.now() else None


def use_budget(began: datetime) -> None:
    """Count an overload that began then and has just ended against the budget."""
    Heartbeat.objects.update_or_create(name=USED_MARK, defaults={"at": _used_up_to(began)})


def _used_up_to(began: datetime) -> datetime:
    """The budget's mark if an overload from `began` until now counts: in the future once it is used up."""
    now = timezone.now()
    before = Heartbeat.objects.filter(name=USED_MARK).values_list("at", flat=True).first()
    full = began - REFILLED_AFTER
    return max(before or full, full) + (now - began) * (REFILLED_AFTER / BUDGET)


def clock_time(deadline: datetime, asked_at: datetime, *, banks_time: bool) -> datetime:
    """Return the time that a clock shows now.

    During an overload that is when it began or when the player was asked, whichever is later. Reads the
    database only after the deadline, or if the clock `banks_time`.
    """
    now = timezone.now()
    if deadline > now and not banks_time:
        return now
    began = Heartbeat.objects.filter(name=MARK).values_list("at", flat=True).first()
    if began is None and deadline <= now and (found := underway()):
        began = found.began
    return now if began is None else min(now, max(began, asked_at))
