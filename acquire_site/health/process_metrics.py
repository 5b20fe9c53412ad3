"""Metrics of the process that is asked: its program, its sockets, its connections to the database."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from games.processes import pool_watch, process_signs
from games.realtime import socket_limits


def metrics() -> Iterator[Metric]:
    build = GaugeMetricFamily("acquire_build", "What this process runs", labels=["version", "build"])
    build.add_metric([process_signs.version(), process_signs.build()], 1)
    yield build
    yield GaugeMetricFamily(
        "acquire_sockets", "Sockets that are open in this process", value=socket_limits.open_sockets()
    )
    yield from _pool()


def _pool() -> Iterator[Metric]:
    """The waits of this process's requests for a connection to the database, if it has a pool."""
    stats = pool_watch.stats()
    if not stats:
        return
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
