"""/metrics tells of this process and of the site."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from accounts.models import User
from acquire_site import metrics
from acquire_site.health import service_health, site_metrics
from games.models import Game, LogEntry
from games.processes import pool_watch
from games.realtime import socket_limits
from tests.support.games import play_on

pytestmark = pytest.mark.django_db


def values() -> dict[str, float]:
    found = re.findall(r"^(acquire_\w+(?:\{[^}]*\})?) (\S+)$", metrics.text().decode(), re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_every_part_is_measured() -> None:
    found = values()
    missing = {name: value for name, value in found.items() if name.startswith("acquire_metrics_missing")}
    assert set(missing.values()) == {0.0}
    assert len(missing) == len(site_metrics.PARTS) + len(site_metrics.DATABASE_PARTS)
    assert found["acquire_database_up"] == 1.0


def test_part_that_cannot_be_measured_does_not_take_the_others_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> Any:
        raise DatabaseError

    monkeypatch.setitem(site_metrics.DATABASE_PARTS, "games", fail)
    found = values()
    assert found['acquire_metrics_missing{part="games"}'] == 1.0
    assert found["acquire_database_up"] == 1.0
    assert "acquire_games_running" not in found


def test_no_part_waits_for_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait() -> Any:
        raise AssertionError

    monkeypatch.setattr(service_health, "database", lambda: "does not answer")
    for part in site_metrics.DATABASE_PARTS:
        monkeypatch.setitem(site_metrics.DATABASE_PARTS, part, wait)
    found = values()
    assert found["acquire_database_up"] == 0.0
    assert found['acquire_metrics_missing{part="games"}'] == 1.0
    assert "acquire_sockets" in found


def test_moves_of_the_last_minute_are_counted(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 6)
    LogEntry.objects.filter(game=game, number__lte=2).update(created_at=timezone.now() - timedelta(minutes=2))
    moves = LogEntry.objects.filter(game=game, number__gt=2, kind=LogEntry.Kind.MOVE).count()
    assert values()["acquire_moves_per_minute"] == moves > 0


def test_open_sockets_are_counted(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_limits, "_open", Counter())
    holder = asyncio.run(socket_limits.take({"user": alice}, "a socket"))
    assert values()["acquire_sockets"] == 1
    asyncio.run(socket_limits.give_back(holder, "a socket"))
    assert values()["acquire_sockets"] == 0


def test_build_is_told() -> None:
    text = metrics.text().decode()
    assert re.search(r'^acquire_build\{build="[0-9a-f]{16}",version="[\d.]+"\} 1\.0$', text, re.MULTILINE)
    assert "process_resident_memory_bytes" in text


class Pool:
    """The figures of a pool in which requests have waited."""

    def get_stats(self) -> dict[str, int]:
        return {"pool_size": 8, "requests_waiting": 2, "requests_queued": 7, "requests_wait_ms": 1500}


def test_waits_for_a_connection_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with_pool = type("WithPool", (), {"vendor": "postgresql", "pool": Pool()})
    monkeypatch.setattr(pool_watch, "connection", with_pool)
    found = values()
    assert (found["acquire_pool_size"], found["acquire_pool_waiting"]) == (8, 2)
    assert (found["acquire_pool_waits_total"], found["acquire_pool_wait_seconds_total"]) == (7, 1.5)
    assert found["acquire_pool_errors_total"] == 0


def test_process_without_a_pool_tells_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_watch, "connection", type("WithoutPool", (), {"vendor": "sqlite"}))
    assert not any(name.startswith("acquire_pool") for name in values())
