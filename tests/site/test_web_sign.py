"""A web process shows that its loop goes round, and removes its sign of life when it ends."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acquire_site import web_sign
from acquire_site.processes import programs
from games.processes import refused_requests
from games.processes.pool_watch import PoolWatch
from games.processes.process_signs import Pulse


class Thread:
    """Stands for the thread that writes the sign."""

    def __init__(self, sign: Any, works: Pulse, wake: threading.Event) -> None:
        self.sign, self.works, self.wake = sign, works, wake
        self.done: list[str] = []
        threads.append(self)

    def start(self) -> None:
        self.done.append("started")

    def end(self, patience_seconds: float) -> None:
        self.done.append("ended")


threads: list[Thread] = []


@pytest.fixture(autouse=True)
def _no_real_thread(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(web_sign, "SigningThread", Thread)
    settings.SIGN_OF_LIFE_SECONDS = 15
    threads.clear()


async def nothing() -> None:
    pass


def serve(while_it_runs: Callable[[], Awaitable[None]] = nothing) -> list[str]:
    """Start and end a server; return what the application answered."""
    answers: list[str] = []

    async def receive() -> dict[str, str]:
        if answers:
            await while_it_runs()
        return {}

    async def send(message: dict[str, str]) -> None:
        answers.append(message["type"])

    asyncio.run(web_sign.show_life({"type": "lifespan"}, receive, send))
    return answers


def test_sign_is_shown_from_start_to_end_of_the_server() -> None:
    assert serve() == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert threads[0].done == ["started", "ended"]


def test_refused_request_wakes_the_thread() -> None:
    serve()
    assert threads[0].wake is refused_requests.of_this_process.noted


def test_sign_tells_of_requests_without_a_connection() -> None:
    serve()
    assert isinstance(threads[0].sign._pool, PoolWatch)


def test_process_shows_live_games_that_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []

    async def wait_for_signs() -> None:
        async with asyncio.timeout(30):
            while len(shown) < 3:
                await asyncio.sleep(0.001)

    monkeypatch.setattr(web_sign.site_presence, "WEB_SIGN_SECONDS", 0.001)
    monkeypatch.setattr(web_sign, "_show_web", lambda: shown.append(1))
    serve(wait_for_signs)
    assert len(shown) >= 3


def test_pulse_beats_again_and_again_while_the_loop_goes_round(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[Pulse] = []

    class CountedPulse(Pulse):
        def beat(self) -> None:
            beats.append(self)

    async def wait_for_beats() -> None:
        async with asyncio.timeout(30):
            while len(beats) < 4:
                await asyncio.sleep(0.001)

    monkeypatch.setattr(web_sign, "_BEAT_SECONDS", 0.001)
    monkeypatch.setattr(web_sign, "Pulse", CountedPulse)
    serve(wait_for_beats)
    assert len(beats) >= 4
    assert threads[0].works is beats[0]


def test_nothing_is_shown_where_signs_are_off(settings: Any) -> None:
    settings.SIGN_OF_LIFE_SECONDS = 0
    assert len(serve()) == 2
    assert threads[0].done == []


def test_server_of_the_site_announces_its_start_and_end() -> None:
    """The server must be told to: without its lifespan nothing is shown."""
    command = " ".join(programs(8000, "redis://127.0.0.1/0")[0].command)
    assert "--lifespan on" in command
