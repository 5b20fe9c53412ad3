"""The times of daily backups, for places without cron."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from datetime import time as time_of_day

from django.db import DatabaseError
from django.utils import timezone

from acquire_site.backup import backup_age

# Sunday, as `datetime.weekday` counts.
DRILL_WEEKDAY = 6

# The wait after a failed backup. By then the disk or the other machine may be back.
RETRY_AFTER = timedelta(hours=1)

# After a suspension of the machine, a long sleep would end late.
_LONGEST_SLEEP = 60.0


def due_times(at: time_of_day) -> Iterator[datetime]:
    """Wait for each backup that is due and yield the time; at once if the last one is older than a day.

    A backup that was not recorded as good is due again after `RETRY_AFTER`.
    """
    due = timezone.now() if _is_missed(timezone.now()) else next_time(timezone.now(), at)
    while True:
        while (seconds := (due - timezone.now()).total_seconds()) > 0:
            time.sleep(min(seconds, _LONGEST_SLEEP))
        began = timezone.now()
        yield due
        due = next_time(timezone.now(), at)
        if not _has_succeeded_since(began):
            due = min(due, timezone.now() + RETRY_AFTER)


def next_time(now: datetime, at: time_of_day) -> datetime:
    """The first time after `now` at which a UTC clock shows `at`."""
    due = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return due if due > now else due + timedelta(days=1)


def _is_missed(now: datetime) -> bool:
    """Return whether the last day has no good backup, or the last one is dated in the future."""
    last = backup_age.last(backup_age.BACKUP)
    return last is None or now - last > timedelta(days=1) or not backup_age.is_plausible(last, now)


def _has_succeeded_since(began: datetime) -> bool:
    try:
        last = backup_age.last(backup_age.BACKUP)
    except DatabaseError:
        return False
    return last is not None and last >= began
