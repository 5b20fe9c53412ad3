"""Processes of the site: which live, which hang, and whether they belong together."""

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric

from acquire_site import health_probes
from games.models import ProcessSign
from games.moderation.site_health import HealthProblem, ago
from games.processes import process_signs

SILENT = timedelta(seconds=60)
WRONG_CLOCK_SECONDS = 60.0

QUEUES = {"celery": "mail and messages", "bots": "bots"}


def living(now: datetime) -> list[ProcessSign]:
    """Processes that have shown lately that they live."""
    return list(ProcessSign.objects.filter(at__gte=now - SILENT).order_by("kind", "queues", "host", "pid"))


def silent(now: datetime) -> list[ProcessSign]:
    """Processes that hang, or that ended without a word and were not started again."""
    found = ProcessSign.objects.filter(at__lt=now - SILENT, at__gte=now - process_signs.KEPT_FOR).order_by(
        "at"
    )
    return [sign for sign in found if not _is_over(sign)]


def health_problems(now: datetime) -> Iterator[HealthProblem]:
    alive = living(now)
    redis_answers = health_probes.hints() == health_probes.OK
    for sign in silent(now):
        # Workers wait for Redis and show life again by themselves.
        if sign.kind != ProcessSign.Kind.WORKER or redis_answers:
            yield _silence(sign, now)
    if settings.BROKER_URL and redis_answers:
        yield from _missing_workers(alive)
    yield from _differences(alive)
    for sign in alive:
        if abs(ahead := sign.clock_ahead_seconds or 0.0) > WRONG_CLOCK_SECONDS:
            direction = "ahead of" if ahead > 0 else "behind"
            yield HealthProblem(
                "clock",
                f"The clock of {sign.host} is {abs(ahead):.0f} s {direction} the database’s ({sign}). Let the"
                " network set both: timedatectl set-ntp true",
            )


def metrics(now: datetime) -> Iterator[Metric]:
    alive, hanging = living(now), silent(now)
    names = ["kind", "queues", "process"]
    age = GaugeMetricFamily("acquire_process_age_seconds", "Since a process was last seen", labels=names)
    memory = GaugeMetricFamily("acquire_process_memory_bytes", "Memory of it and its children", labels=names)
    ahead = GaugeMetricFamily(
        "acquire_process_clock_ahead_seconds", "How far its clock is ahead of the database's", labels=names
    )
    for sign in [*alive, *hanging]:
        labels = [sign.kind, sign.queues, f"{sign.host}:{sign.pid}"]
        age.add_metric(labels, (now - sign.at).total_seconds())
        memory.add_metric(labels, sign.memory_bytes)
        if sign.clock_ahead_seconds is not None:
            ahead.add_metric(labels, sign.clock_ahead_seconds)
    workers = GaugeMetricFamily("acquire_workers", "Living workers of a queue", labels=["queue"])
    for queue in QUEUES:
        workers.add_metric([queue], sum(queue in sign.queue_names for sign in alive))
    yield from (age, memory, ahead, workers)
    yield GaugeMetricFamily("acquire_processes_silent", "Processes that hang or vanished", value=len(hanging))
    for name, about, marks in (
        ("keys", "Different SECRET_KEYs among processes", {sign.key_mark for sign in alive}),
        ("builds", "Different builds of the program among processes", {sign.build for sign in alive}),
    ):
        yield GaugeMetricFamily(f"acquire_process_{name}", about, value=len(marks))


def _silence(sign: ProcessSign, now: datetime) -> HealthProblem:
    if _lives_here(sign):
        mend = f"It hangs: kill -KILL {sign.pid}, and it is started again"
    else:
        mend = "It hangs or is gone: systemctl restart acquire (docker compose restart)"
    return HealthProblem("process", f"The {sign} was last seen {ago(now, sign.at)}. {mend}.")


def _missing_workers(alive: list[ProcessSign]) -> Iterator[HealthProblem]:
    for queue, work in QUEUES.items():
        if not any(queue in sign.queue_names for sign in alive):
            yield HealthProblem(
                "worker", f"No worker for {work} is there: systemctl restart acquire (docker compose up)."
            )


def _differences(alive: list[ProcessSign]) -> Iterator[HealthProblem]:
    """Processes with another key or program than this one, the doctor's own."""
    key, build = process_signs.key_mark(), process_signs.build()
    for sign in alive:
        if sign.key_mark != key:
            yield HealthProblem(
                "key",
                f"The {sign} has another SECRET_KEY than this command, so logins and links of one do not hold"
                " for the other. Give all the same environment: systemctl restart acquire",
            )
        if sign.build != build:
            yield HealthProblem(
                "version",
                f"The {sign} runs another build of the program ({sign.version} {sign.build}) than what is"
                f" installed here ({process_signs.version()} {build}): systemctl restart acquire",
            )


def _is_over(sign: ProcessSign) -> bool:
    """Return whether a silent process has ended on this machine, or was started again on another."""
    if sign.host == process_signs.host():
        return not _lives_here(sign)
    younger = ProcessSign.objects.filter(kind=sign.kind, queues=sign.queues, host=sign.host)
    return younger.filter(started__gt=sign.at).exists()


def _lives_here(sign: ProcessSign) -> bool:
    if sign.host != process_signs.host():
        return False
    with contextlib.suppress(PermissionError):
        try:
            os.kill(sign.pid, 0)
        except ProcessLookupError:
            return False
    return True
