"""The doctor sees processes that hang, are missing, or do not belong together."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from acquire_site import health_probes
from acquire_site.health import process_health
from games.models import ProcessSign
from games.processes import process_signs

pytestmark = pytest.mark.django_db


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield child
    child.kill()
    child.wait()


def make_sign(**values: Any) -> ProcessSign:
    usual = {
        "kind": ProcessSign.Kind.WORKER,
        "queues": "celery",
        "host": process_signs.host(),
        "pid": os.getpid(),
        "started": timezone.now() - timedelta(hours=1),
        "at": timezone.now(),
        "version": process_signs.version(),
        "build": process_signs.build(),
        "key_mark": process_signs.key_mark(),
    }
    return ProcessSign.objects.create(**{**usual, **values})


def ago(minutes: float) -> Any:
    return timezone.now() - timedelta(minutes=minutes)


def told() -> list[str]:
    return [f"{found.name}: {found.sentence}" for found in process_health.health_problems(timezone.now())]


@pytest.fixture
def with_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health_probes, "hints", lambda: health_probes.OK)


def test_processes_that_live_and_agree_are_no_problem(with_redis: None) -> None:
    make_sign(queues="celery")
    make_sign(queues="bots")
    make_sign(kind="web", queues="")
    assert told() == []


def test_a_stopped_process_is_seen_as_hanging(process: subprocess.Popen[bytes], with_redis: None) -> None:
    make_sign(queues="bots,celery")
    make_sign(queues="bots", pid=process.pid, at=ago(5))
    process.send_signal(signal.SIGSTOP)
    (sentence,) = told()
    assert f"The worker for bots, process {process.pid} on" in sentence
    assert "last seen 5 minutes ago" in sentence and f"kill -KILL {process.pid}" in sentence
    # The command that it names mends it.
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert told() == []


def test_a_process_of_another_machine_that_vanished_is_told_until_it_is_started_again() -> None:
    make_sign(kind="web", queues="", host="elsewhere", at=ago(5))
    assert "web process" in told()[0]
    make_sign(kind="web", queues="", host="elsewhere", started=ago(4))
    assert told() == []


def test_a_process_that_vanished_long_ago_is_forgotten() -> None:
    make_sign(kind="web", queues="", host="elsewhere", at=ago(2 * 24 * 60))
    assert told() == []


def test_workers_that_wait_for_redis_do_not_hang(
    process: subprocess.Popen[bytes], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health_probes, "hints", lambda: "does not answer")
    make_sign(pid=process.pid, at=ago(5))
    assert told() == []


def test_a_queue_without_a_worker_is_told(with_redis: None) -> None:
    make_sign(queues="celery")
    assert told() == ["worker: No worker for bots is there: systemctl restart acquire (docker compose up)."]


def test_without_a_broker_there_are_no_workers() -> None:
    assert told() == []


def test_another_key_is_told_without_telling_it() -> None:
    make_sign(key_mark="0123456789abcdef")
    (sentence,) = told()
    assert sentence.startswith("key: ") and "another SECRET_KEY" in sentence
    assert "0123456789abcdef" not in sentence and process_signs.key_mark() not in sentence


def test_another_build_is_told() -> None:
    make_sign(build="an old one", version="0.3.0")
    assert "runs another build of the program (0.3.0 an old one)" in told()[0]


@pytest.mark.parametrize(("ahead", "words"), [(90, "90 s ahead of"), (-3600, "3600 s behind")])
def test_a_machine_with_a_wrong_clock_is_told(ahead: float, words: str) -> None:
    make_sign(host="elsewhere", clock_ahead_seconds=ahead)
    (sentence,) = told()
    assert sentence.startswith("clock: The clock of elsewhere is " + words)


def test_a_clock_that_is_a_little_off_is_no_problem() -> None:
    make_sign(clock_ahead_seconds=30)
    assert told() == []


def test_metrics_count_processes_keys_and_builds(process: subprocess.Popen[bytes]) -> None:
    make_sign(queues="bots", memory_bytes=5)
    make_sign(queues="bots", pid=process.pid, at=ago(5), key_mark="other", build="other")
    make_sign(kind="web", queues="", key_mark="other")
    found = {
        (sample.name, sample.labels.get("queue", "")): sample.value
        for metric in process_health.metrics(timezone.now())
        for sample in metric.samples
    }
    assert found["acquire_workers", "bots"] == 1
    assert found["acquire_workers", "celery"] == 0
    assert found["acquire_processes_silent", ""] == 1
    assert (found["acquire_process_keys", ""], found["acquire_process_builds", ""]) == (2, 1)
