"""Queues of tasks in Redis, and tasks that failed."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from acquire_site import health_probes
from acquire_site.health.process_health import QUEUES
from acquire_site.worker_signs import SENT_AT
from games.models import TaskFailure
from games.moderation.site_health import HealthProblem, ago

OLD_SECONDS = 120.0
FRESH = timedelta(hours=1)

# Kombu keeps a list for each priority; the first has the queue's own name. What waits in the others is
# meant to wait.
_PRIORITIES = ("", "\x06\x163", "\x06\x166", "\x06\x169")


@dataclass(frozen=True)
class QueueState:
    """How many tasks wait in a queue, and for how long the oldest that is not meant to wait."""

    length: int
    oldest_seconds: float


def queue_states() -> dict[str, QueueState]:
    """The state of each queue; empty if Redis does not answer, which is told elsewhere."""
    try:
        return _read_queues() if settings.BROKER_URL else {}
    except Exception:
        return {}


def health_problems(now: datetime) -> Iterator[HealthProblem]:
    for queue, state in queue_states().items():
        if state.oldest_seconds > OLD_SECONDS:
            since = ago(now, now - timedelta(seconds=state.oldest_seconds))
            yield HealthProblem(
                "queue",
                f"{state.length} tasks wait in the queue {queue}, the oldest was sent {since}. Its workers"
                " hang or are too few: systemctl restart acquire; see “Growing” in docs/operating.md",
            )
    for failure in TaskFailure.objects.filter(last__gt=now - FRESH).order_by("task"):
        yield HealthProblem(
            "task",
            f"{failure.task} failed {ago(now, failure.last)} ({failure.error}; {failure.times} times in all)."
            " The log says where: journalctl -u acquire",
        )


def metrics() -> Iterator[Metric]:
    length = GaugeMetricFamily("acquire_queue_length", "Tasks that wait for a worker", labels=["queue"])
    oldest = GaugeMetricFamily("acquire_queue_age_seconds", "Since the oldest was sent", labels=["queue"])
    for queue, state in queue_states().items():
        length.add_metric([queue], state.length)
        oldest.add_metric([queue], state.oldest_seconds)
    failed = CounterMetricFamily("acquire_tasks_failed", "Tasks that failed", labels=["task"])
    for failure in TaskFailure.objects.order_by("task"):
        failed.add_metric([failure.task], failure.times)
    yield from (length, oldest, failed)


def _read_queues() -> dict[str, QueueState]:
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    pipeline = health_probes.redis_client(settings.BROKER_URL).pipeline(transaction=False)
    for queue in QUEUES:
        for priority in _PRIORITIES:
            pipeline.llen(f"{prefix}{queue}{priority}")
        # Kombu puts new messages on the left.
        pipeline.lindex(f"{prefix}{queue}", -1)
    answers: list[Any] = pipeline.execute()
    states, step = {}, len(_PRIORITIES) + 1
    for place, queue in enumerate(QUEUES):
        *lengths, oldest = answers[place * step : (place + 1) * step]
        states[queue] = QueueState(sum(lengths), _age(oldest))
    return states


def _age(message: bytes | None) -> float:
    if message is None:
        return 0.0
    sent_at = json.loads(message).get("headers", {}).get(SENT_AT)
    return max(0.0, time.time() - sent_at) if sent_at else 0.0
