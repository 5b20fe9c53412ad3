"""Metrics that are measured anew each time they are asked for, part by part."""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

from django.db.models import Max
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from acquire_site.backup import backup_age
from acquire_site.health import (
    outbox_health,
    process_health,
    process_metrics,
    queue_health,
    service_health,
    storage_health,
)
from games.models import LogEntry
from games.moderation import site_health

logger = logging.getLogger(__name__)

# The log has no index by time, so only its last entries are searched for those of the last minute.
_LAST_ENTRIES = 10_000


def measure() -> Iterator[Metric]:
    """All metrics but those of requests. A part that cannot be measured does not take the others with it.

    While the database is away, the parts that need it are not even tried: each would wait for it in vain.
    """
    missing = GaugeMetricFamily(
        "acquire_metrics_missing", "1 for a part that could not be measured", labels=["part"]
    )
    answers = service_health.database() == service_health.OK
    yield GaugeMetricFamily("acquire_database_up", "1 if the database answers", value=float(answers))
    for part, measure_part in {**PARTS, **DATABASE_PARTS}.items():
        found = _measured(part, measure_part) if answers or part in PARTS else None
        missing.add_metric([part], float(found is None))
        yield from found or ()
    yield missing


def moves_of_last_minute() -> int:
    """Count the moves of the last minute, as far as they are among the last entries."""
    newest = LogEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    recent = LogEntry.objects.filter(
        pk__gt=newest - _LAST_ENTRIES, created_at__gt=timezone.now() - timedelta(minutes=1)
    )
    return recent.filter(kind=LogEntry.Kind.MOVE).count()


def _measured(part: str, measure_part: Callable[[], Iterable[Metric]]) -> list[Metric] | None:
    try:
        return list(measure_part())
    except Exception as error:
        # The error's message may quote a row.
        logger.warning("The metrics of %s could not be measured: %s", part, type(error).__name__)
        return None


def _redis() -> Iterator[Metric]:
    answers = service_health.hints() == service_health.OK
    yield GaugeMetricFamily("acquire_redis_up", "1 if every Redis of the site answers", value=float(answers))


def _migrations() -> Iterator[Metric]:
    missing = service_health.missing_migrations()
    yield GaugeMetricFamily("acquire_migrations_missing", "Migrations that the database lacks", value=missing)


def _games() -> Iterator[Metric]:
    yield from _gauges(site_health.metrics())
    yield GaugeMetricFamily(
        "acquire_moves_per_minute",
        "Moves of the last minute, of people and bots",
        value=moves_of_last_minute(),
    )


def _backups() -> Iterator[Metric]:
    return _gauges(backup_age.metrics())


def _gauges(figures: dict[str, tuple[str, float]]) -> Iterator[Metric]:
    for name, (about, value) in figures.items():
        yield GaugeMetricFamily(f"acquire_{name}", about, value=value)


PARTS: dict[str, Callable[[], Iterable[Metric]]] = {
    "this process": process_metrics.metrics,
    "redis": _redis,
    "queues": queue_health.queue_metrics,
    "disks": storage_health.metrics,
}
DATABASE_PARTS: dict[str, Callable[[], Iterable[Metric]]] = {
    "migrations": _migrations,
    "games": _games,
    "outboxes": outbox_health.metrics,
    "processes": process_health.metrics,
    "tasks": queue_health.failure_metrics,
    "backups": _backups,
}
