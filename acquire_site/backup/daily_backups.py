"""The times of daily backups, for places without cron."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from datetime import time as time_of_day

from django.utils import timezone

from acquire_site.backup import backup_age

# Sunday, as `datetime.weekday` counts.
DRILL_WEEKDAY = 6

# After a suspension of the machine, a long sleep would end late.
_LONGEST_SLEEP = 60.0


def due_times(at: time_of_day) -> Iterator[datetime]:
    """Wait for each backup that is due and yield the time; at once if the last one is older than a day."""
    last = backup_age.last(backup_age.BACKUP)
    if last is None or timezone.now() - last > timedelta(days=1):
        yield timezone.now()
    while True:
        due = next_time(timezone.now(), at)
        while (seconds := (due - timezone.now()).total_seconds()) > 0:
            time.sleep(min(seconds, _LONGEST_SLEEP))
        yield due


def next_time(now: datetime, at: time_of_day) -> datetime:
    """The first time after `now` at which a UTC clock shows `at`."""
    due = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return due if due > now else due + timedelta(days=1)
