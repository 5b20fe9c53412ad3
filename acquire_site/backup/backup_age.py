"""The age of the last good backup and of the last good drill, for doctor and metrics."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.models import Heartbeat
from games.moderation.site_health import HealthProblem

# Names of heartbeats.
BACKUP = "backup"
DRILL = "backup drill"

# Clocks of two machines may differ by this much.
_CLOCK_SLACK = timedelta(seconds=60)


def record(name: str) -> None:
    """Record that a backup or a drill has succeeded."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def last(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()


def metrics() -> dict[str, tuple[str, float]]:
    """Metrics by name, with description and current value."""
    now = timezone.now()
    return {
        "backup_age_seconds": ("Since the last good backup, -1 without one", _seconds(now, last(BACKUP))),
        "backup_drill_age_seconds": ("Since the last good drill, -1 without one", _seconds(now, last(DRILL))),
    }


def health_problems(now: datetime) -> list[HealthProblem]:
    """The problem that there is no recent backup, unless the operator expects none."""
    allowed = timedelta(hours=settings.BACKUP_ALARM_HOURS)
    if not allowed:
        return []
    at = last(BACKUP)
    if future := [
        _from_the_future(what, when, now)
        for what, when in (("backup", at), ("drill", last(DRILL)))
        if when is not None and not is_plausible(when, now)
    ]:
        return future
    if at is None:
        return [
            HealthProblem(
                "backup", "There is no backup yet. Schedule this to run every day: manage.py backup"
            )
        ]
    if now - at <= allowed:
        return []
    hours = int((now - at).total_seconds() // 3600)
    sentence = f"The last good backup is {hours} hours old. See whether this fails: manage.py backup"
    return [HealthProblem("backup", sentence)]


def is_plausible(at: datetime, now: datetime) -> bool:
    """Return whether the time is not in the future; a wrong clock may have set it."""
    return at <= now + _CLOCK_SLACK


def _from_the_future(what: str, at: datetime, now: datetime) -> HealthProblem:
    ahead = int((at - now).total_seconds())
    sentence = (
        f"The last good {what} is dated {ahead} seconds in the future, so its age is unknown: a clock is or"
        " was wrong. Compare the clocks (date -u), then do it again: manage.py backup"
    )
    return HealthProblem("backup", sentence + (" --drill" if what == "drill" else ""))


def _seconds(now: datetime, since: datetime | None) -> float:
    return (now - since).total_seconds() if since else -1.0
