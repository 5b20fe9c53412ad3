"""The age of the last good backup and of the last good drill, and failed drills, for doctor and metrics."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.models import Heartbeat
from games.moderation.site_health import HealthProblem, ago

# Names of heartbeats.
BACKUP = "backup"
DRILL = "backup drill"
FAILED_DRILL = "failed backup drill"

# Drills run once a week; a day more for one that is late.
MAX_DRILL_AGE = timedelta(days=8)

# Clocks of two machines may differ by this much.
_CLOCK_SLACK = timedelta(seconds=60)


def record(name: str) -> None:
    """Record that a backup or a drill has succeeded, or that a drill has failed."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def last(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()


def metrics() -> dict[str, tuple[str, float]]:
    """Metrics by name, with description and current value."""
    now = timezone.now()
    return {
        "backup_age_seconds": ("Since the last good backup, -1 without one", _seconds(now, last(BACKUP))),
        "backup_alarm_seconds": ("The age at which it is too old, 0 for never", _allowed().total_seconds()),
        "backup_drill_age_seconds": ("Since the last good drill, -1 without one", _seconds(now, last(DRILL))),
        "backup_drill_failed": ("1 if the last drill failed", float(_failed_drill() is not None)),
    }


def health_problems(now: datetime) -> list[HealthProblem]:
    """The problems with backups and drills, unless the operator expects no backups."""
    return [*_backup_problems(now), *_drill_problems(now)] if _allowed() else []


def is_plausible(at: datetime, now: datetime) -> bool:
    """Return whether the time is not in the future; a wrong clock may have set it."""
    return at <= now + _CLOCK_SLACK


def _allowed() -> timedelta:
    """The age up to which a backup is recent; zero if the operator expects none."""
    return timedelta(hours=settings.BACKUP_ALARM_HOURS)


def _backup_problems(now: datetime) -> Iterator[HealthProblem]:
    at = last(BACKUP)
    if at is None:
        sentence = "There is no backup yet. Schedule this to run every day: manage.py backup"
        yield HealthProblem("backup", sentence)
    elif not is_plausible(at, now):
        sentence = _from_the_future("backup", at, now)
        yield HealthProblem("backup", f"{sentence}: manage.py backup")
    elif now - at > _allowed():
        hours = int((now - at).total_seconds() // 3600)
        sentence = f"The last good backup is {hours} hours old. See whether this fails: manage.py backup"
        yield HealthProblem("backup", sentence)


def _drill_problems(now: datetime) -> Iterator[HealthProblem]:
    """The problem that no backup can be shown to be restorable, where drills have been run."""
    at = last(DRILL)
    if failed := _failed_drill():
        sentence = f"The last drill failed {ago(now, failed)}, so the newest backup may be of no use."
        yield HealthProblem("drill", f"{sentence} See why: manage.py backup --drill")
    elif at is not None and not is_plausible(at, now):
        sentence = _from_the_future("drill", at, now)
        yield HealthProblem("drill", f"{sentence}: manage.py backup --drill")
    elif at is not None and now - at > MAX_DRILL_AGE:
        sentence = f"The last good drill was {(now - at).days} days ago. Is cron running?"
        yield HealthProblem("drill", f"{sentence} See whether this fails: manage.py backup --drill")


def _failed_drill() -> datetime | None:
    """The time of the last failed drill, if none has succeeded since."""
    failed, good = last(FAILED_DRILL), last(DRILL)
    return failed if failed is not None and (good is None or good < failed) else None


def _from_the_future(what: str, at: datetime, now: datetime) -> str:
    ahead = int((at - now).total_seconds())
    return (
        f"The last good {what} is dated {ahead} seconds in the future, so its age is unknown: a clock is or"
        " was wrong. Compare the clocks (date -u), then do it again"
    )


def _seconds(now: datetime, since: datetime | None) -> float:
    return (now - since).total_seconds() if since else -1.0
