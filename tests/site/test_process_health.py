"""The doctor sees processes that hang, are missing, or do not belong together."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from acquire_site.health import process_health, service_health
from games.clocks import machine_clock
from games.models import ProcessSign
from games.processes import process_signs

pytestmark = pytest.mark.django_db


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield child
    child.kill()
    child.wait()


def make_sign(pid: int = os.getpid(), **values: Any) -> ProcessSign:
    usual = {
        "kind": ProcessSign.Kind.WORKER,
        "queues": "celery",
        "host": process_signs.host(),
        "pid": pid,
        "start_ticks": process_signs.start_ticks(pid),
        "started": timezone.now() - timedelta(hours=1),
        "at": timezone.now(),
        "version": process_signs.version(),
        "build": process_signs.build(),
        "key_mark": process_signs.key_mark(),
    }
    return ProcessSign.objects.create(**{**usual, **values})


def ago(minutes: float) -> datetime:
    return timezone.now() - timedelta(minutes=minutes)


def told() -> list[str]:
    return [f"{found.name}: {found.sentence}" for found in process_health.health_problems()]


@pytest.fixture
def with_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_health, "broker", lambda: service_health.OK)


def test_processes_that_live_and_agree_are_no_problem(with_redis: None) -> None:
    make_sign(queues="celery")
    make_sign(queues="bots")
    make_sign(kind="web", queues="")
    assert told() == []


def test_stopped_process_is_told_until_the_named_command_has_ended_it(
    process: subprocess.Popen[bytes], with_redis: None
) -> None:
    make_sign(queues="bots,celery")
    make_sign(process.pid, queues="bots", at=ago(5))
    process.send_signal(signal.SIGSTOP)
    (sentence,) = told()
    assert f"The worker for bots, process {process.pid} on" in sentence
    assert "last seen 5 minutes ago" in sentence
    assert f"kill -KILL {process.pid}" in sentence
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert told() == []


def test_stranger_with_the_number_of_a_dead_process_is_not_to_be_killed(
    process: subprocess.Popen[bytes],
) -> None:
    make_sign(process.pid, at=ago(5), start_ticks=process_signs.start_ticks(process.pid) - 1)
    assert told() == []


def test_vanished_process_of_another_machine_is_told_until_it_is_started_again() -> None:
    make_sign(kind="web", queues="", host="elsewhere", at=ago(5))
    assert told()[0].startswith("process: The web process, process ")
    make_sign(kind="web", queues="", host="elsewhere", started=ago(4))
    assert told() == []


def test_process_seen_in_the_future_does_not_count_as_living(with_redis: None) -> None:
    make_sign(queues="celery,bots", at=ago(-60))
    clock, *missing = told()
    assert clock.startswith("clock: The worker for emails and messages, bots, process ")
    assert len(missing) == 2


def test_process_of_another_machine_is_taken_for_gone_after_an_hour() -> None:
    make_sign(kind="web", queues="", host="elsewhere", at=ago(61))
    assert told() == []


def test_signs_are_judged_by_the_clock_of_the_database(
    process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor's own machine is an hour ahead; it must not find all others silent."""
    monkeypatch.setattr(machine_clock, "database_offset", lambda: timedelta(hours=1))
    make_sign(process.pid, at=ago(60))
    assert told() == []


def test_workers_that_wait_for_redis_do_not_hang(
    process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_health, "broker", lambda: "does not answer")
    make_sign(process.pid, at=ago(5))
    assert told() == []


def test_queue_without_a_worker_is_told(with_redis: None) -> None:
    make_sign(queues="celery")
    (sentence,) = told()
    assert sentence.startswith("worker: No worker for bots is running. Start it: systemctl restart acquire")


def test_site_without_a_broker_needs_no_workers(settings: Any) -> None:
    settings.BROKER_URL = ""
    assert told() == []


def test_other_key_is_told_without_showing_it() -> None:
    make_sign(key_mark="0123456789abcdef")
    (sentence,) = told()
    assert sentence.startswith("key: ")
    assert "a different SECRET_KEY" in sentence
    assert "0123456789abcdef" not in sentence
    assert process_signs.key_mark() not in sentence


def test_other_build_is_told() -> None:
    for kind in ("web", "sweeper"):
        make_sign(kind=kind, queues="", build="an old one", version="0.3.0")
    (sentence,) = told()
    assert sentence.startswith("version: These processes run a different build than the one installed here")
    assert sentence.count("(0.3.0 an old one)") == 2
    assert sentence.endswith("Restart them: systemctl restart acquire")


def test_other_build_on_another_machine_is_not_mended_by_a_restart_alone() -> None:
    make_sign(build="an old one", host="another machine")
    (sentence,) = told()
    assert sentence.endswith(
        "On another machine upgrade first: as_site git pull && as_site sh deploy/upgrade"
    )


@pytest.mark.parametrize(("ahead", "words"), [(90, "90 s ahead of"), (-3600, "3600 s behind")])
def test_machine_with_a_wrong_clock_is_told_once(ahead: float, words: str) -> None:
    for kind, clock in (("sweeper", ahead), ("web", ahead), ("worker", 0.0)):
        make_sign(kind=kind, host="elsewhere", clock_ahead_seconds=clock)
    (sentence,) = told()
    assert sentence.startswith("clock: The clock of elsewhere is " + words)


def test_clock_that_is_a_little_off_is_no_problem() -> None:
    make_sign(clock_ahead_seconds=30)
    assert told() == []


def test_metrics_count_processes_keys_and_builds(process: subprocess.Popen[bytes], settings: Any) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    make_sign(queues="bots", memory_bytes=5)
    make_sign(process.pid, queues="bots", at=ago(5), key_mark="other", build="other")
    make_sign(kind="web", queues="", key_mark="other")
    found = {
        (sample.name, sample.labels.get("queue", "")): sample.value
        for metric in process_health.metrics()
        for sample in metric.samples
    }
    assert found["acquire_workers", "bots"] == 1
    assert found["acquire_workers", "celery"] == 0
    assert found["acquire_processes_silent", ""] == 1
    assert (found["acquire_process_keys", ""], found["acquire_process_builds", ""]) == (2, 1)
