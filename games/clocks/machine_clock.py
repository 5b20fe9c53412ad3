"""The clocks of this machine, and how far its wall clock is from that of the database."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.db import connection
from django.utils import timezone

# Nobody sets this clock, and it runs on while the machine is suspended.
_STEADY: int | None = getattr(time, "CLOCK_BOOTTIME", None)


@dataclass(frozen=True)
class Reading:
    """The wall clock and the steady clock of this machine at one moment."""

    wall: datetime
    steady: float

    def jump_since(self, earlier: "Reading") -> timedelta:
        """The time the wall clock has gained on the steady one since then; negative if it was set back."""
        return self.wall - earlier.wall - timedelta(seconds=self.steady - earlier.steady)


def read() -> Reading:
    return Reading(timezone.now(), steady())


def steady() -> float:
    """Seconds since this machine started."""
    return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


@cache
def boot() -> str:
    """A name for this start of the machine: steady clocks compare only within one; "" if unknown."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def database_offset() -> timedelta | None:
    """The time by which this machine's clock is ahead of the database's; None if that has none of its own.

    The database's answer may be slow, so a difference that its delay explains does not count.
    """
    if connection.vendor != "postgresql":
        return None
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
    after = timezone.now()
    if before <= there <= after:
        return timedelta()
    # A clock that was set between the two readings leaves them in the wrong order.
    return min((before - there, after - there), key=abs)


def database_time() -> datetime:
    """The time by the database's clock, or by this machine's if the database has none of its own."""
    return timezone.now() - (database_offset() or timedelta())
