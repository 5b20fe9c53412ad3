"""Queues of tasks in Redis, and tasks that failed."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from kombu.transport.redis import PRIORITY_STEPS, Channel
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from acquire_site.health import service_health
from acquire_site.worker_signs import SENT_AT
from games.clocks import machine_clock
from games.models import TaskFailure
from games.models.process_sign import WORK_OF_QUEUES
from games.moderation.site_health import SILENT, HealthProblem, ago
from games.realtime import redis_addresses

OLD_SECONDS = 120.0
FRESH = timedelta(hours=1)


@dataclass(frozen=True)
class QueueState:
    """The number of tasks in a queue, and the age of the oldest that is not meant to wait.

    The age is negative if the clock of this machine or of the sender's is wrong.
    """

    length: int
    oldest_seconds: float


def queue_states() -> dict[str, QueueState]:
    """The state of each queue; empty if Redis does not answer, which is told elsewhere."""
    if service_health.broker() != service_health.OK:
        return {}
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    server: Any = redis_addresses.client(settings.BROKER_URL, service_health.PATIENCE)
    return {queue: _state(server, f"{prefix}{queue}") for queue in WORK_OF_QUEUES}


def health_problems() -> Iterator[HealthProblem]:
    now = machine_clock.database_time()
    for queue, state in queue_states().items():
        work = WORK_OF_QUEUES[queue]
        if state.oldest_seconds > OLD_SECONDS:
            since = ago(now, now - timedelta(seconds=state.oldest_seconds))
            yield HealthProblem(
                "queue",
                f"Tasks for {work} are waiting: {state.length}, the oldest sent {since}. Their"
                " workers are stuck, or there are too few. Restart them: systemctl restart acquire."
                " Or add some: see “Growing” in docs/operating.md.",
            )
        elif state.oldest_seconds < -SILENT.total_seconds():
            yield HealthProblem(
                "clock",
                f"The oldest task for {work} was sent {-state.oldest_seconds:.0f} seconds in the"
                " future. The clock of this machine or of the sender’s is wrong. Compare both: date -u",
            )
    for failure in TaskFailure.objects.filter(last__gt=now - FRESH).order_by("task"):
        times = "once" if failure.times == 1 else f"{failure.times} times"
        yield HealthProblem(
            "task",
            f"{failure.task} failed {ago(now, failure.last)} ({failure.error}, {times} so far)."
            " The log says where: journalctl -u acquire (docker compose logs)",
        )


def queue_metrics() -> Iterator[Metric]:
    length = GaugeMetricFamily("acquire_queue_length", "Tasks that wait for a worker", labels=["queue"])
    oldest = GaugeMetricFamily("acquire_queue_age_seconds", "Since the oldest was sent", labels=["queue"])
    for queue, state in queue_states().items():
        length.add_metric([queue], state.length)
        oldest.add_metric([queue], state.oldest_seconds)
    yield from (length, oldest)


def failure_metrics() -> Iterator[Metric]:
    failed = CounterMetricFamily("acquire_tasks_failed", "Tasks that failed", labels=["task"])
    for failure in TaskFailure.objects.order_by("task"):
        failed.add_metric([failure.task], failure.times)
    yield failed


def _state(server: Any, key: str) -> QueueState:
    # Kombu keeps a list for each priority; the first has the queue's own name. What waits in the others is
    # meant to wait.
    lists = [f"{key}{Channel.sep}{priority}" if priority else key for priority in PRIORITY_STEPS]
    with server.pipeline(transaction=False) as pipeline:
        for name in lists:
            pipeline.llen(name)
        # New messages are put on the left.
        pipeline.lindex(key, -1)
        *lengths, oldest = pipeline.execute()
    return QueueState(sum(lengths), _age(oldest))


def _age(message: bytes | None) -> float:
    if message is None:
        return 0.0
    sent_at = json.loads(message).get("headers", {}).get(SENT_AT)
    return time.time() - sent_at if sent_at else 0.0
