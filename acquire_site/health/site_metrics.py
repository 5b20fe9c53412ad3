"""Metrics that are measured anew each time they are asked for."""

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

from django.db import connection
from django.db.models import Max
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from acquire_site import health_probes
from acquire_site.health import process_health, queue_health, storage_health
from games.clocks import machine_clock
from games.models import LogEntry
from games.moderation import site_health
from games.processes import process_signs
from games.realtime import socket_limits

# The log has no index by time, so only its last entries are searched for those of the last minute.
_LAST_ENTRIES = 10_000


def _services() -> Iterator[Metric]:
    for name, about, answer in (
        ("database", "1 if the database answers", health_probes.database),
        ("redis", "1 if every Redis of the site answers", health_probes.hints),
    ):
        yield GaugeMetricFamily(f"acquire_{name}_up", about, value=float(answer() == health_probes.OK))


def _games() -> Iterator[Metric]:
    for name, (about, value) in site_health.metrics().items():
        yield GaugeMetricFamily(f"acquire_{name}", about, value=value)
    yield GaugeMetricFamily(
        "acquire_moves_per_minute",
        "Moves of the last minute, of people and bots",
        value=moves_of_last_minute(),
    )


def moves_of_last_minute() -> int:
    """Count the moves of the last minute, as far as they are among the last entries."""
    newest = LogEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    recent = LogEntry.objects.filter(
        pk__gt=newest - _LAST_ENTRIES, created_at__gt=timezone.now() - timedelta(minutes=1)
    )
    return recent.filter(kind=LogEntry.Kind.MOVE).count()


def _clock() -> Iterator[Metric]:
    offset = machine_clock.database_offset()
    if offset is not None:
        about = "How far this process's clock is ahead of the database's"
        yield GaugeMetricFamily("acquire_clock_ahead_seconds", about, value=offset.total_seconds())


def _this_process() -> Iterator[Metric]:
    build = GaugeMetricFamily("acquire_build", "What this process runs", labels=["version", "build"])
    build.add_metric([process_signs.version(), process_signs.build()], 1)
    yield build
    yield GaugeMetricFamily(
        "acquire_sockets", "Sockets that are open in this process", value=socket_limits.open_sockets()
    )
    yield from _pool()


def _pool() -> Iterator[Metric]:
    """How long requests of this process waited for a connection to the database, if it has a pool."""
    pool = getattr(connection, "pool", None) if connection.vendor == "postgresql" else None
    if pool is None:
        return
    stats = pool.get_stats()
    for name, about, key in (
        ("size", "Connections that this process holds", "pool_size"),
        ("waiting", "Requests that wait for a connection", "requests_waiting"),
    ):
        yield GaugeMetricFamily(f"acquire_pool_{name}", about, value=stats.get(key, 0))
    for name, about, value in (
        ("waits", "Requests that had to wait for a connection", stats.get("requests_queued", 0)),
        ("wait_seconds", "How long they waited in all", stats.get("requests_wait_ms", 0) / 1000),
        ("errors", "Requests that got no connection", stats.get("requests_errors", 0)),
    ):
        yield CounterMetricFamily(f"acquire_pool_{name}", about, value=value)


PARTS: dict[str, Callable[[], Iterable[Metric]]] = {
    "services": _services,
    "games": _games,
    "clock": _clock,
    "processes": lambda: process_health.metrics(timezone.now()),
    "queues": queue_health.metrics,
    "disks": storage_health.metrics,
    "this process": _this_process,
}
