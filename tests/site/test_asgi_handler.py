"""Requests take turns: each whole in one thread, a limited number at once, and none waits for ever."""

import asyncio
import importlib
import threading
from typing import Any

import asgiref
import django
import pytest
from asgiref.sync import ThreadSensitiveContext
from asgiref.testing import ApplicationCommunicator
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse
from django.test import AsyncRequestFactory, RequestFactory

from acquire_site import asgi_handler, health_probes
from acquire_site.asgi_handler import Handler
from acquire_site.request_places import RequestPlaces
from games.processes import refused_requests


class Counted(Handler):
    """Counts requests that run at once; each waits until `together` of them are there."""

    def __init__(self, together: int) -> None:
        super().__init__()
        self._meeting = threading.Barrier(together)
        self._lock = threading.Lock()
        self.most = self.now = 0

    def get_response(self, request: Any) -> Any:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self._meeting.wait(30)
        with self._lock:
            self.now -= 1
        return HttpResponse("done")


async def ask(site: Handler, path: str = "/games/anything/", method: str = "get") -> Any:
    async with ThreadSensitiveContext():
        request = getattr(AsyncRequestFactory(), method)(path, secure=True)
        return await site.get_response_async(request)


def at_once(site: Handler, number: int) -> list[int]:
    """Return the statuses of this many simultaneous requests."""

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(ask(site) for _ in range(number)))

    return [answer.status_code for answer in asyncio.run(all_of_them())]


def test_number_of_simultaneous_requests_is_limited(settings: Any) -> None:
    settings.MAX_CONCURRENT_REQUESTS = 2
    site = Counted(together=2)
    assert at_once(site, 8) == [200] * 8
    assert site.most == 2


def test_larger_limit_lets_more_requests_run(settings: Any) -> None:
    settings.MAX_CONCURRENT_REQUESTS = 8
    site = Counted(together=8)
    assert at_once(site, 8) == [200] * 8
    assert site.most == 8


class Stuck(Handler):
    """Holds its first request until `go_on` is set, and answers all others as the site does."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()

    def get_response(self, request: Any) -> Any:
        if not self.begun.is_set():
            self.begun.set()
            assert self.go_on.wait(30)
            return HttpResponse("done")
        return super().get_response(request)


def after_waiting(path: str) -> tuple[Any, Any]:
    """Return the answers to a long request, and to another that waits behind it."""
    site = Stuck()

    async def both() -> tuple[Any, Any]:
        first = asyncio.create_task(ask(site))
        await asyncio.to_thread(site.begun.wait, 30)
        second = await asyncio.wait_for(ask(site, path), 20)
        site.go_on.set()
        return await first, second

    return asyncio.run(both())


def test_request_that_waited_too_long_gets_503(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the mark of the test, any query fails here.
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 0.05)
    settings.MAX_CONCURRENT_REQUESTS, settings.ALLOWED_HOSTS = 1, ["testserver"]
    noted: list[str] = []
    monkeypatch.setattr(refused_requests.of_this_process, "note", lambda: noted.append("refused"))
    first, second = after_waiting("/games/anything/")
    assert noted == ["refused"]
    assert first.status_code == 200
    assert second.status_code == 503
    assert second["Retry-After"] == "5"
    assert "This page could not be loaded in time." in second.content.decode()
    assert second["Content-Security-Policy"]


class Noted(Stuck):
    """Notes in which order requests are handled."""

    def __init__(self) -> None:
        super().__init__()
        self.handled: list[str | None] = []

    def get_response(self, request: Any) -> Any:
        if self.begun.is_set():
            self.handled.append(request.method)
            return HttpResponse("done")
        return super().get_response(request)


def handled_after_a_jam() -> list[str | None]:
    """Return the order in which pages and a move are handled that waited behind a long request."""
    site = Noted()

    async def jam() -> None:
        first = asyncio.create_task(ask(site))
        await asyncio.to_thread(site.begun.wait, 30)
        waiting = [asyncio.create_task(ask(site, method=method)) for method in ("get", "get", "post")]
        while site._places.waiting < len(waiting):
            await asyncio.sleep(0)
        site.go_on.set()
        await asyncio.gather(first, *waiting)

    asyncio.run(jam())
    return site.handled


def test_moves_are_handled_before_pages_that_came_earlier(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 30)
    settings.MAX_CONCURRENT_REQUESTS = 1
    assert handled_after_a_jam() == ["POST", "GET", "GET"]


def test_moves_that_wait_like_pages_would_be_noticed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of the test above."""
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 30)
    monkeypatch.setattr(asgi_handler, "FORM_RANK", asgi_handler.PAGE_RANK)
    settings.MAX_CONCURRENT_REQUESTS = 1
    assert handled_after_a_jam() == ["GET", "GET", "POST"]


def test_place_that_comes_as_its_request_gives_up_goes_to_the_next() -> None:
    places = RequestPlaces(1)

    async def give_up_and_go_on() -> None:
        await places.take(0)
        leaver = asyncio.create_task(places.take(0))
        stayer = asyncio.create_task(places.take(0))
        await asyncio.sleep(0)
        places.give_back()
        leaver.cancel()
        await asyncio.wait_for(stayer, 5)
        places.give_back()
        await asyncio.wait_for(places.take(0), 5)

    asyncio.run(give_up_and_go_on())


def test_probe_does_not_wait_for_its_turn(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 1000)
    settings.MAX_CONCURRENT_REQUESTS = 1
    assert after_waiting("/healthz")[1].content == b"alive\n"


@pytest.mark.parametrize(("path", "method"), [("/metrics", "get"), ("/healthz", "post")])
def test_other_requests_are_no_probes(path: str, method: str) -> None:
    assert health_probes.asked_by(getattr(RequestFactory(), method)(path)) is None


def test_disconnected_request_keeps_its_place_until_the_thread_is_done(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 0.05)
    settings.MAX_CONCURRENT_REQUESTS, settings.ALLOWED_HOSTS = 1, ["testserver"]
    site = Stuck()

    async def meanwhile_and_after() -> tuple[Any, Any]:
        scope = AsyncRequestFactory()._base_scope(path="/games/anything/", scheme="https")  # type: ignore[attr-defined]
        leaver = ApplicationCommunicator(site, scope)
        await leaver.send_input({"type": "http.request"})
        await asyncio.to_thread(site.begun.wait, 30)
        await leaver.send_input({"type": "http.disconnect"})
        meanwhile = await ask(site)
        site.go_on.set()
        await leaver.wait(30)
        site.begun.clear()
        return meanwhile, await ask(site)

    meanwhile, after = asyncio.run(meanwhile_and_after())
    assert meanwhile.status_code == 503
    assert after.content == b"done"


def test_request_stays_in_one_thread() -> None:
    assert not asyncio.iscoroutinefunction(Handler()._middleware_chain)  # type: ignore[attr-defined]


def test_django_itself_would_change_threads() -> None:
    assert asyncio.iscoroutinefunction(ASGIHandler()._middleware_chain)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("package", "name", "version"),
    [(django, "VERSION", (6, 0, 0, "final", 0)), (asgiref, "__version__", "4.0.0")],
)
def test_unknown_version_is_refused_at_import(
    monkeypatch: pytest.MonkeyPatch, package: Any, name: str, version: Any
) -> None:
    monkeypatch.setattr(package, name, version)
    with pytest.raises(ImproperlyConfigured, match=r"see docs/decisions/asgi_handler\.md"):
        importlib.reload(asgi_handler)
