"""Processes of the site: which live, which hang, and whether they belong together."""

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric

from acquire_site.health import service_health
from games.clocks import machine_clock
from games.models import Heartbeat, ProcessSign
from games.models.process_sign import WORK_OF_QUEUES
from games.moderation.site_health import SILENT, HealthProblem, ago
from games.processes import pool_watch, process_signs

WRONG_CLOCK_SECONDS = 60.0

# A process of another machine that is silent for longer is taken for gone: nobody here can look.
GONE_AFTER = timedelta(hours=1)

# Too few connections are told for as long as failed tasks are.
POOL_FRESH = timedelta(hours=1)


def living(now: datetime) -> list[ProcessSign]:
    """Processes that have lately shown that they live; `now` is the database's time."""
    found = ProcessSign.objects.filter(at__range=(now - SILENT, now + SILENT))
    return list(found.order_by("kind", "queues", "host", "pid"))


def silent(now: datetime) -> list[ProcessSign]:
    """Processes that hang, or that ended without a word and were not started again."""
    found = ProcessSign.objects.filter(at__lt=now - SILENT).order_by("at")
    return [sign for sign in found if not _is_over(sign, now)]


def from_the_future(now: datetime) -> list[ProcessSign]:
    """Processes that were last seen in the future: a clock has been set back since."""
    return list(ProcessSign.objects.filter(at__gt=now + SILENT).order_by("at"))


def health_problems() -> Iterator[HealthProblem]:
    now = machine_clock.database_time()
    alive = living(now)
    broker_answers = service_health.broker() == service_health.OK
    for sign in silent(now):
        # Workers wait for Redis and show life again by themselves.
        if sign.kind != ProcessSign.Kind.WORKER or broker_answers:
            yield _silence(sign, now)
    for sign in from_the_future(now):
        ahead = int((sign.at - now).total_seconds())
        yield HealthProblem(
            "clock",
            f"The {sign} was last seen {ahead} seconds in the future: the clock of the database was set back."
            " Compare the clocks of all machines (date -u), then restart: systemctl restart acquire",
        )
    if broker_answers:
        yield from _missing_workers(alive)
    yield from _differences(alive)
    yield from _wrong_clocks(alive)
    yield from _used_up_pool(now)


def metrics() -> Iterator[Metric]:
    now = machine_clock.database_time()
    alive, hanging = living(now), silent(now)
    names = ["kind", "queues", "process"]
    age = GaugeMetricFamily("acquire_process_age_seconds", "Since a process was last seen", labels=names)
    memory = GaugeMetricFamily("acquire_process_memory_bytes", "Memory of it and its children", labels=names)
    ahead = GaugeMetricFamily(
        "acquire_process_clock_ahead_seconds", "How far its clock is ahead of the database's", labels=names
    )
    for sign in [*alive, *hanging, *from_the_future(now)]:
        labels = [sign.kind, sign.queues, f"{sign.host}:{sign.pid}"]
        age.add_metric(labels, (now - sign.at).total_seconds())
        memory.add_metric(labels, sign.memory_bytes)
        if sign.clock_ahead_seconds is not None:
            ahead.add_metric(labels, sign.clock_ahead_seconds)
    yield from (age, memory, ahead)
    if settings.BROKER_URL:
        workers = GaugeMetricFamily("acquire_workers", "Living workers of a queue", labels=["queue"])
        for queue in WORK_OF_QUEUES:
            workers.add_metric([queue], sum(queue in sign.queue_names for sign in alive))
        yield workers
    yield GaugeMetricFamily("acquire_processes_silent", "Processes that hang or vanished", value=len(hanging))
    for name, about, marks in (
        ("keys", "Different SECRET_KEYs among processes", {sign.key_mark for sign in alive}),
        ("builds", "Different builds of the program among processes", {sign.build for sign in alive}),
    ):
        yield GaugeMetricFamily(f"acquire_process_{name}", about, value=len(marks))


def _silence(sign: ProcessSign, now: datetime) -> HealthProblem:
    if sign.host == process_signs.host():
        mend = f"It hangs. Kill it and it will be restarted: kill -KILL {sign.pid}"
    else:
        mend = (
            "It hangs or has ended. Restart it on that machine: systemctl restart acquire"
            " (docker compose restart)"
        )
    return HealthProblem("process", f"The {sign} was last seen {ago(now, sign.at)}. {mend}")


def _missing_workers(alive: list[ProcessSign]) -> Iterator[HealthProblem]:
    for queue, work in WORK_OF_QUEUES.items():
        if not any(queue in sign.queue_names for sign in alive):
            yield HealthProblem(
                "worker",
                f"No worker for {work} is running. Start it: systemctl restart acquire"
                " (docker compose up --detach)",
            )


def _used_up_pool(now: datetime) -> Iterator[HealthProblem]:
    for mark in Heartbeat.objects.filter(name=pool_watch.MARK, at__gt=now - POOL_FRESH):
        yield HealthProblem(
            "pool",
            f"Requests got no connection to the database within 4 seconds, most recently {ago(now, mark.at)}"
            f" ({mark.detail}). Add web processes or connections: see “Growing” in docs/operating.md.",
        )


def _differences(alive: list[ProcessSign]) -> Iterator[HealthProblem]:
    """Processes with another key or program than this one, the doctor's own."""
    if others := [str(sign) for sign in alive if sign.key_mark != process_signs.key_mark()]:
        yield HealthProblem(
            "key",
            f"These processes use a different SECRET_KEY than this command: {'; '.join(others)}. Logins and"
            " links made with one key fail with the other. Restart all with the same environment: systemctl"
            " restart acquire",
        )
    build = process_signs.build()
    if strangers := [sign for sign in alive if sign.build != build]:
        others = [f"{sign} ({sign.version} {sign.build})" for sign in strangers]
        mend = "systemctl restart acquire"
        if any(sign.host != process_signs.host() for sign in strangers):
            mend += ". On another machine upgrade first: as_site git pull && as_site sh deploy/upgrade"
        yield HealthProblem(
            "version",
            f"These processes run a different build than the one installed here ({process_signs.version()}"
            f" {build}): {'; '.join(others)}. Restart them: {mend}",
        )


def _wrong_clocks(alive: list[ProcessSign]) -> Iterator[HealthProblem]:
    """Machines with a process whose clock is not that of the database."""
    worst: dict[str, float] = {}
    for sign in alive:
        worst[sign.host] = max(worst.get(sign.host, 0.0), sign.clock_ahead_seconds or 0.0, key=abs)
    for host, ahead in worst.items():
        if abs(ahead) > WRONG_CLOCK_SECONDS:
            direction = "ahead of" if ahead > 0 else "behind"
            yield HealthProblem(
                "clock",
                f"The clock of {host} is {abs(ahead):.0f} s {direction} the database’s. Synchronise both"
                " with the network: timedatectl set-ntp true",
            )


def _is_over(sign: ProcessSign, now: datetime) -> bool:
    """Return whether a silent process has ended here, or was started again or given up on another machine."""
    if sign.host == process_signs.host():
        return not _lives_here(sign)
    younger = ProcessSign.objects.filter(kind=sign.kind, queues=sign.queues, host=sign.host)
    return sign.at < now - GONE_AFTER or younger.filter(started__gt=sign.at).exists()


def _lives_here(sign: ProcessSign) -> bool:
    """Return whether this very process is still there; another may have its number by now."""
    try:
        os.kill(sign.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return sign.start_ticks == process_signs.start_ticks(sign.pid)
