"""A web process removes its sign of life when it is asked to end."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from acquire_site import web_sign


class Thread:
    """Stands for the thread that shows that the process lives."""

    def __init__(self, sign: Any) -> None:
        self.done: list[str] = []
        threads.append(self)

    def start(self) -> None:
        self.done.append("started")

    def end(self) -> None:
        self.done.append("ended")

    def join(self, seconds: float) -> None:
        self.done.append("joined")


threads: list[Thread] = []


@pytest.fixture
def signals(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """What the server's own handler has received; the handlers of the tests come back afterwards."""
    received: list[int] = []
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in kept:
        signal.signal(number, lambda number, frame: received.append(number))
    monkeypatch.setattr(web_sign, "SigningThread", Thread)
    threads.clear()
    yield received
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_server_that_is_asked_to_end_removes_its_sign_and_ends(signals: list[int], settings: Any) -> None:
    settings.SIGN_OF_LIFE_SECONDS = 15
    web_sign.show()
    signal.raise_signal(signal.SIGTERM)
    assert threads[0].done == ["started", "ended"]
    assert signals == [signal.SIGTERM]


def test_without_signs_of_life_nothing_is_shown(signals: list[int], settings: Any) -> None:
    settings.SIGN_OF_LIFE_SECONDS = 0
    web_sign.show()
    assert threads == []
