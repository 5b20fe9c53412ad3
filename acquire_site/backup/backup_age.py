"""The age of the last good backup and of the last good drill, for doctor and metrics."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.models import Heartbeat
from games.moderation.site_health import HealthProblem

# Names of heartbeats.
BACKUP = "backup"
DRILL = "backup drill"


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
    if at is None:
        return [HealthProblem("backup", "There has been no backup: run manage.py backup every day.")]
    if now - at <= allowed:
        return []
    hours = int((now - at).total_seconds() // 3600)
    sentence = (
        f"The last good backup was made {hours} hours ago: does manage.py backup run, and does it fail?"
    )
    return [HealthProblem("backup", sentence)]


def _seconds(now: datetime, since: datetime | None) -> float:
    return (now - since).total_seconds() if since else -1.0
