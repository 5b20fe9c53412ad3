"""How requests get their turn: each whole in one thread, so many at once, and none waits for ever."""

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


class Counted(Handler):
    """Notes how many requests it works on at once; each waits until `together` of them are there."""

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


async def ask(site: Handler, path: str = "/games/anything/") -> Any:
    async with ThreadSensitiveContext():
        return await site.get_response_async(AsyncRequestFactory().get(path, secure=True))


def at_once(site: Handler, number: int) -> list[int]:
    """The statuses of so many requests that come together."""

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(ask(site) for _ in range(number)))

    return [answer.status_code for answer in asyncio.run(all_of_them())]


def test_so_many_requests_are_worked_on_at_once_and_the_others_wait(settings: Any) -> None:
    settings.MAX_CONCURRENT_REQUESTS = 2
    site = Counted(together=2)
    assert at_once(site, 8) == [200] * 8
    assert site.most == 2


def test_more_at_once_would_be_seen(settings: Any) -> None:
    settings.MAX_CONCURRENT_REQUESTS = 8
    site = Counted(together=8)
    assert at_once(site, 8) == [200] * 8
    assert site.most == 8


class Stuck(Handler):
    """Works on its first request until `go_on`, and answers all others as the site does."""

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
    """The answers to a request that takes long and to another one, whose turn does not come meanwhile."""
    site = Stuck()

    async def both() -> tuple[Any, Any]:
        first = asyncio.create_task(ask(site))
        await asyncio.to_thread(site.begun.wait, 30)
        second = await asyncio.wait_for(ask(site, path), 20)
        site.go_on.set()
        return await first, second

    return asyncio.run(both())


def test_who_waited_too_long_is_told_to_come_back(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the mark of the test, any question to the database fails here.
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 0.05)
    settings.MAX_CONCURRENT_REQUESTS, settings.ALLOWED_HOSTS = 1, ["testserver"]
    first, second = after_waiting("/games/anything/")
    assert first.status_code == 200
    assert second.status_code == 503
    assert second["Retry-After"] == "5"
    assert "nothing was recorded" in second.content.decode()
    assert second["Content-Security-Policy"]


def test_a_probe_does_not_wait_for_its_turn(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_handler, "QUEUE_TIMEOUT", 1000)
    settings.MAX_CONCURRENT_REQUESTS = 1
    assert after_waiting("/healthz")[1].content == b"alive\n"


@pytest.mark.parametrize(("path", "method"), [("/metrics", "get"), ("/healthz", "post")])
def test_what_no_probe_asks_waits_as_all_do(path: str, method: str) -> None:
    assert health_probes.asked_by(getattr(RequestFactory(), method)(path)) is None


def test_who_hangs_up_keeps_the_place_until_the_thread_is_done(
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


def test_a_request_stays_in_one_thread() -> None:
    assert not asyncio.iscoroutinefunction(Handler()._middleware_chain)  # type: ignore[attr-defined]


def test_django_would_change_threads() -> None:
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
