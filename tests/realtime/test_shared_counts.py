"""Limits that hold for all web processes together, on a real Redis."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from games.realtime import redis_addresses, shared_counts, socket_limits
from games.web.api.public import api_throttle

NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    socket_limits._open.clear()
    api_throttle.forget()
    yield
    socket_limits._open.clear()
    api_throttle.forget()


@pytest.fixture
def redis_server(settings: Any, redis_url: str) -> Any:
    settings.CHANNEL_URLS = [redis_url]
    server = redis_addresses.client(redis_url, 1.0)
    server.flushdb()
    yield server
    server.flushdb()


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Go on as another web process, with nothing in its memory."""

    def become(name: str, *, shown: bool = True) -> None:
        monkeypatch.setattr(shared_counts, "_process", name)
        socket_limits._open.clear()
        api_throttle.forget()
        if shown:
            shared_counts._ask(shared_counts._show)

    return become


def open_socket(name: str, address: str = "10.0.0.9") -> str:
    scope = {"user": AnonymousUser(), "client": (address, 0)}
    return asyncio.run(socket_limits.take(scope, name))


def close_socket(holder: str, name: str) -> None:
    asyncio.run(socket_limits.give_back(holder, name))


def ask(address: str = "10.0.0.9") -> int:
    return api_throttle.seconds_to_wait(RequestFactory().get("/", REMOTE_ADDR=address), None)


# -- Sockets ---------------------------------------------------------------------------------------


def test_sockets_of_all_processes_count_together(redis_server: Any, settings: Any, become: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 3
    become("one")
    assert open_socket("a") and open_socket("b")
    become("two")
    assert open_socket("c")
    assert not open_socket("d")
    assert open_socket("e", address="10.0.0.10")


def test_sockets_counted_by_each_process_alone_would_be_seen(settings: Any, become: Any) -> None:
    """The twin: without Redis each process has its own limit."""
    settings.SOCKETS_PER_ADDRESS = 1
    settings.CHANNEL_URLS = []
    become("one")
    assert open_socket("a")
    assert not open_socket("b")
    become("two")
    assert open_socket("c")


def test_a_closed_socket_makes_room_in_every_process(redis_server: Any, settings: Any, become: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    become("one")
    holder = open_socket("a")
    close_socket(holder, "a")
    become("two")
    assert open_socket("b")


def test_a_refused_socket_takes_no_room(redis_server: Any, settings: Any, become: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    become("one")
    holder = open_socket("a")
    become("two")
    assert not open_socket("b")
    become("one")
    close_socket(holder, "a")
    assert open_socket("c")


def test_sockets_of_a_process_that_was_killed_make_room(
    redis_server: Any, settings: Any, become: Any
) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    become("killed")
    assert open_socket("a")
    become("one")
    assert not open_socket("b")
    redis_server.delete(shared_counts._life("killed"))
    assert open_socket("c")


def test_a_process_shows_that_it_lives_for_a_while(redis_server: Any, become: Any) -> None:
    become("one")
    assert 0 < redis_server.ttl(shared_counts._life("one")) <= shared_counts.LIFE_SECONDS


def test_a_redis_that_is_away_costs_no_socket(settings: Any, become: Any) -> None:
    settings.CHANNEL_URLS = [NOWHERE]
    settings.SOCKETS_PER_ADDRESS = 1
    become("one", shown=False)
    holder = open_socket("a")
    assert holder
    assert not open_socket("b")
    close_socket(holder, "a")
    assert open_socket("c")


# -- Requests to the API ---------------------------------------------------------------------------


@pytest.fixture
def minute(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clock of the limit, standing still."""
    clock = [1_000_000_020.0]
    monkeypatch.setattr(api_throttle.time, "time", lambda: clock[0])
    return clock


def test_requests_to_all_processes_count_together(
    redis_server: Any, settings: Any, become: Any, minute: Any
) -> None:
    settings.API_PER_MINUTE = 3
    become("one")
    assert [ask(), ask()] == [0, 0]
    become("two")
    assert ask() == 0
    assert ask() > 0
    assert ask("10.0.0.10") == 0


def test_requests_count_anew_in_the_next_minute(
    redis_server: Any, settings: Any, become: Any, minute: Any
) -> None:
    settings.API_PER_MINUTE = 1
    become("one")
    assert ask() == 0
    assert ask() > 0
    minute[0] += 60
    assert ask() == 0


def test_a_redis_that_is_away_leaves_each_process_its_own_limit(
    settings: Any, become: Any, minute: Any
) -> None:
    settings.CHANNEL_URLS = [NOWHERE]
    settings.API_PER_MINUTE = 1
    become("one", shown=False)
    assert ask() == 0
    assert ask() > 0
    become("two", shown=False)
    assert ask() == 0


def test_counts_are_forgotten_by_redis_too(redis_server: Any, become: Any, minute: Any) -> None:
    become("one")
    ask()
    [key] = redis_server.keys("acquire-count:api:*")
    assert 0 < redis_server.ttl(key) <= 120
