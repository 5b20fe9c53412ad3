"""Metrics for Prometheus: requests of this process, and the state of games."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from acquire_site.backup import backup_age
from acquire_site.health import storage_health
from games.moderation import site_health

_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"}

registry = CollectorRegistry()
_requests = Counter(
    "acquire_requests", "Answers by this process", ["route", "method", "status"], registry=registry
)
_seconds = Histogram(
    "acquire_request_seconds",
    "How long answers took",
    ["route"],
    buckets=[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registry=registry,
)


class _Games:
    """Metrics of games; all processes with the same database report the same values."""

    def collect(self) -> Iterator[Metric]:
        figures = {**site_health.metrics(), **backup_age.metrics()}
        for name, (about, value) in figures.items():
            yield GaugeMetricFamily(f"acquire_{name}", about, value=value)
        yield from storage_health.metrics()

    def describe(self) -> list[Metric]:
        """Return nothing, so that registration needs no database."""
        return []


registry.register(_Games())


def known_method(method: str) -> str:
    """Return the method, or `OTHER` for unknown ones, so that invented methods use no memory."""
    return method if method in _METHODS else "OTHER"


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count a response; `route` is the pattern of its address."""
    _requests.labels(route, known_method(method), str(status)).inc()
    _seconds.labels(route).observe(seconds)


def text() -> bytes:
    """All metrics in Prometheus' text format."""
    return generate_latest(registry)
