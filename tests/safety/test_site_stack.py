"""The stack of the other safety tests is complete, and it restarts its parts."""

import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse

import pytest

from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = pytest.mark.alone

PARTS = ["redis", "web-1", "web-2", "worker", "bots", "sweeper", "proxy"]


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    require("postgres", "redis")
    with Stack(web=2, durable=False) as stack:
        yield stack


def get(stack: Stack) -> HTTPResponse:
    """Return the answer to a browser that opens the lobby."""
    connection = HTTPConnection("127.0.0.1", stack.port, timeout=20)
    connection.request("GET", "/")
    return connection.getresponse()


def opens(stack: Stack) -> bool:
    try:
        return get(stack).status == 200
    except (OSError, HTTPException):
        return False


def test_stack_shows_the_pages_of_a_production_site(stack: Stack) -> None:
    answer = get(stack)
    assert answer.headers["Strict-Transport-Security"]
    assert "/static/games/css/" in answer.read().decode()
    assert list(stack.processes) == PARTS
    assert "0 overdue moves" in stack.manage("sweep")


@pytest.mark.parametrize("name", PARTS)
def test_killed_process_is_started_again(name: str, stack: Stack) -> None:
    process = stack.processes[name]
    before, starts = process.pid, process.starts
    stack.kill(name)
    deadline = time.monotonic() + 20
    while process.starts == starts or not process.runs:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert process.pid != before


def test_second_web_process_answers_while_the_first_is_away(stack: Stack) -> None:
    stack.wait()
    stack.processes["web-1"].stop()
    assert all(opens(stack) for _ in range(4))
    stack.processes["web-1"].start()
    stack.wait()


def test_killed_database_comes_back_with_its_data(stack: Stack) -> None:
    """It does not wait for the disk, so a checkpoint is written first."""
    shell(stack, "from accounts.models import User; User.objects.create(username='marta')")
    shell(stack, "from django.db import connection; connection.cursor().execute('CHECKPOINT')")
    stack.postgres.kill()
    stack.postgres.start()
    assert shell(stack, "from accounts.models import User; print(User.objects.get().username)") == "marta"


def shell(stack: Stack, code: str) -> str:
    return stack.manage("shell", "--no-imports", "-c", code).strip()
