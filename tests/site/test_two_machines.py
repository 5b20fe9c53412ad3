"""A site whose parts run on two machines, which here are two addresses of one machine."""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE
from acquire_site.supervisor import Program
from tests.load.load_members import Person, prepare
from tests.safety.headless_browser import asked, version
from tests.safety.site_stack import Process, Stack
from tests.support.own_loop import run_in_own_loop
from tests.support.played_site import missing
from tests.tools import available_services

pytestmark = pytest.mark.site

FIRST, SECOND = "127.0.0.1", "127.0.0.2"
PATIENCE_SECONDS = 120


class TwoMachines(Stack):
    """One machine for pages and mail, another for pages, sockets and bots; no sweeper makes up for anything.

    They share PostgreSQL and Redis, and have folders of their own.
    """

    def __init__(self) -> None:
        super().__init__(env={"SSL_REDIRECT": "0"}, durable=False)

    def wait(self, seconds: float = PATIENCE_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        for name in ("first", "second"):
            while "Acquire is open" not in self.log(name):
                assert time.monotonic() < deadline, self.log(name)
                time.sleep(0.05)

    def _processes(self) -> dict[str, Process]:
        self.second_port = embedded_redis.free_port()
        first = self._serve("pages", "mail", host=FIRST, port=self.port)
        second = self._serve("pages", "sockets", "bots", host=SECOND, port=self.second_port)
        folder = self.folder / "second"
        folder.mkdir()
        return {
            "redis": self.redis,
            "first": Process("first", first, self.env, self.folder),
            "second": Process("second", second, {**self.env, "DATA_DIR": str(folder)}, self.folder),
        }

    def _serve(self, *parts: str, host: str, port: int) -> Program:
        manage = [sys.executable, str(MANAGE)]
        return Program(
            f"serve on {host}", [*manage, "serve", "--only", *parts, "--host", host, "--ports", str(port)]
        )


@pytest.fixture(scope="module")
def machines() -> Iterator[TwoMachines]:
    for service in ("postgres", "redis"):
        if not available_services.find(service).path:
            missing(service)
    with TwoMachines() as machines:
        yield machines


@contextlib.asynccontextmanager
async def page_on_the_second(machines: TwoMachines, person: Person) -> AsyncIterator[ClientConnection]:
    """A socket that a page of the person's game has opened at the second machine."""
    async with connect(
        f"ws://localhost:{machines.port}/ws/games/{person.games[0]}/",
        host=SECOND,
        port=machines.second_port,
        origin=f"http://localhost:{machines.port}",  # type: ignore[arg-type]
        additional_headers={"Cookie": person.cookie},
        open_timeout=PATIENCE_SECONDS,
        proxy=None,
    ) as socket:
        await socket.send('{"visible": true}')
        yield socket


async def is_asked(person: Person) -> bool:
    page = await person.browser.get(f"/games/{person.games[0]}/", Connection="close")
    return asked(page.text) is not None


async def play_on_the_first(person: Person) -> int:
    """Make the first move that the first machine's page offers; return the version after it."""
    page = await person.browser.get(f"/games/{person.games[0]}/", Connection="close")
    question = asked(page.text)
    assert question, page.text
    answer = await person.browser.post(
        question.action, question.answers[0], HX_Request="true", Connection="close"
    )
    assert answer.status == 200, answer.text
    return version(answer.text)


async def tick_of(socket: ClientConnection, least: int) -> int:
    """Wait until the socket says that the game has this version, or a later one."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for text in socket:
            if (told := int(json.loads(text)["version"])) >= least:
                return told
    raise AssertionError("the socket was closed")


def test_move_on_one_machine_is_told_by_a_socket_on_the_other(machines: TwoMachines) -> None:
    [ann, ben] = prepare(machines, 2, [[0, 1]], "tick")

    async def play() -> None:
        async with page_on_the_second(machines, ann) as socket:
            moved = await play_on_the_first(ann if await is_asked(ann) else ben)
            assert await tick_of(socket, moved) == moved

    run_in_own_loop(play())


def test_worker_on_one_machine_makes_the_moves_of_bots_of_the_other(machines: TwoMachines) -> None:
    """The first machine computes none and nobody sweeps, so the second has made what follows Ann's move."""
    [ann] = prepare(machines, 1, [[0, "random"]], "bots")

    async def play() -> None:
        async with page_on_the_second(machines, ann) as socket:
            while not await is_asked(ann):
                await asyncio.sleep(0.2)
            while await is_asked(ann):
                moved = await play_on_the_first(ann)
            assert await tick_of(socket, moved + 1) > moved

    run_in_own_loop(play())


def test_each_machine_knows_the_health_of_its_own_parts(machines: TwoMachines) -> None:
    folders: list[tuple[Path, set[str]]] = [
        (machines.folder, {"mail"}),
        (machines.folder / "second", {"bots"}),
    ]
    deadline = time.monotonic() + PATIENCE_SECONDS
    for folder, parts in folders:
        while {path.stem for path in folder.glob("heartbeats/*.alive")} != parts:
            assert time.monotonic() < deadline
            time.sleep(0.1)
