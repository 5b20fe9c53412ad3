"""A web process that is asked to end does so within 5 seconds, and answers the requests that it has begun."""

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from acquire_site.processes import programs
from tests.support.played_site import DATABASE, empty_database
from tests.support.site_processes import answers, wait_for
from tests.tools.available_services import environment

pytestmark = pytest.mark.site

MAX_SECONDS = 5.0


@dataclass
class Web:
    """A web process with the options of production."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path
    pool: ThreadPoolExecutor

    def ask_slowly(self, seconds: float) -> "Future[str]":
        """Send a request that takes this long, and wait until it has begun."""
        sent = self.pool.submit(_text, f"{self.url}/slow/{seconds}/")
        wait_for(lambda: "A slow request begins." in self.log.read_text())
        return sent

    def end(self) -> float:
        """Ask the process to end and return how long that took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - started


def _text(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310 -- our own site
        return str(answer.read().decode())


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    (tmp_path / DATABASE).write_bytes(empty_database())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    program = programs(port, redis_url="")[0]
    env = {**environment(), **program.env, "DATA_DIR": str(tmp_path)}
    env["DJANGO_SETTINGS_MODULE"] = "tests.site.slow_page_settings"
    log = tmp_path / "web.log"
    with log.open("w") as output, ThreadPoolExecutor() as pool:
        process = subprocess.Popen(program.command, env=env, stdout=output, stderr=output)
        try:
            wait_for(lambda: answers(f"{url}/healthz"))
            yield Web(url, process, log, pool)
        finally:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
            process.wait(10)


def test_idle_process_ends_at_once(web: Web) -> None:
    assert web.end() < MAX_SECONDS / 2


def test_request_of_less_than_three_seconds_is_answered(web: Web) -> None:
    sent = web.ask_slowly(2.5)
    assert web.end() < MAX_SECONDS
    assert sent.result(10) == "late"


def test_longer_request_does_not_hold_the_process_up(web: Web) -> None:
    sent = web.ask_slowly(15)
    assert web.end() < MAX_SECONDS
    with pytest.raises(OSError):
        sent.result(10)
