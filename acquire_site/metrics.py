"""Metrics for Prometheus: requests of this process, its own state, and that of the site."""

import logging
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from acquire_site.health import site_metrics

logger = logging.getLogger(__name__)

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
    """What is measured anew for each scrape: this process, and the site as a whole.

    All processes with the same database report the same of the site. A part that cannot be measured, such as
    those of a database that is away, does not take the others with it.
    """

    def collect(self) -> Iterator[Metric]:
        failed = GaugeMetricFamily(
            "acquire_metrics_missing", "1 for a part that could not be measured", labels=["part"]
        )
        for part, measure in site_metrics.PARTS.items():
            try:
                found = list(measure())
            except Exception as error:
                logger.warning("The metrics of %s could not be measured: %s", part, type(error).__name__)
                failed.add_metric([part], 1)
            else:
                failed.add_metric([part], 0)
                yield from found
        yield failed

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
