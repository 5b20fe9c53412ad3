"""The doctor sees tasks that wait and tasks that fail."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from celery import Celery
from django.utils import timezone

from acquire_site.health import queue_health
from games.models import TaskFailure
from games.realtime import redis_addresses


@pytest.fixture
def broker(redis_url: str, settings: Any) -> Celery:
    settings.BROKER_URL = redis_url
    app = Celery("trial", broker=redis_url, set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    redis_addresses.client(redis_url, 1.0).flushdb()
    return app


def told() -> list[str]:
    return [f"{found.name}: {found.sentence}" for found in queue_health.health_problems()]


@pytest.mark.django_db
def test_tasks_that_no_worker_takes_are_told(broker: Celery) -> None:
    for _ in range(3):
        broker.send_task("games.tasks.play_computer", args=[1, 2], queue="bots")
    states = queue_health.queue_states()
    assert (states["bots"].length, states["celery"].length) == (3, 0)
    assert told() == []
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        (sentence,) = told()
    assert sentence.startswith(
        "queue: Tasks for bots are waiting: 3, the oldest sent 5 minutes ago. Their workers are stuck"
    )


@pytest.mark.django_db
def test_task_sent_in_the_future_is_an_alarm(broker: Celery) -> None:
    broker.send_task("games.tasks.play_computer", args=[1, 2], queue="bots")
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        assert queue_health.queue_states()["bots"].oldest_seconds < -3500
        (sentence,) = told()
    assert re.match(r"clock: The oldest task for bots was sent 3\d\d\d seconds in the future", sentence)


def test_tasks_that_are_meant_to_wait_count_and_have_no_age(broker: Celery) -> None:
    broker.send_task("games.tasks.assess", args=[1], queue="bots", priority=9)
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        state = queue_health.queue_states()["bots"]
    assert (state.length, state.oldest_seconds) == (1, 0.0)


def test_queues_cannot_be_seen_without_redis(settings: Any) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    assert queue_health.queue_states() == {}


@pytest.mark.django_db
def test_task_that_failed_lately_is_told() -> None:
    TaskFailure.objects.create(task="games.tasks.deliver", error="ValueError", times=3)
    (sentence,) = told()
    assert sentence.startswith("task: games.tasks.deliver failed 0 seconds ago (ValueError, 3 times so far).")
    TaskFailure.objects.update(times=1)
    assert "(ValueError, once so far)" in told()[0]
    TaskFailure.objects.update(last=timezone.now() - timedelta(hours=2))
    assert told() == []


@pytest.mark.django_db
def test_failures_of_tasks_are_counted_in_the_metrics() -> None:
    TaskFailure.objects.create(task="games.tasks.deliver", error="ValueError", times=3)
    samples = [sample[:3] for metric in queue_health.failure_metrics() for sample in metric.samples]
    assert ("acquire_tasks_failed_total", {"task": "games.tasks.deliver"}, 3) in samples
