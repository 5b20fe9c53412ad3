"""Metrics for Prometheus: requests of this process, its own state, and that of the site."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import Metric

from acquire_site.health import site_metrics

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


class _Site:
    """Metrics of this process and of the whole site, measured anew for each scrape.

    All processes with the same database report the same of the site.
    """

    def collect(self) -> Iterable[Metric]:
        return site_metrics.measure()

    def describe(self) -> list[Metric]:
        """Return nothing, so that registration needs no database."""
        return []


registry.register(_Site())
# Memory, open files and start of this process: process_….
ProcessCollector(registry=registry)


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
