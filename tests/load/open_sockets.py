"""Open pages that get ticks: many idle ones, and players who move when told."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.load.load_members import Person, prepare, tables_of_four
from tests.load.load_players import THINKING
from tests.load.measurements import Effort, Figure, megabytes, milliseconds
from tests.safety.headless_browser import Answer, Lost, asked, version
from tests.safety.site_stack import Stack

# The message of a visible page, and how often it is sent.
SEEN, SEEN_SECONDS = '{"visible": true}', 20.0
OPENED_AT_ONCE = 20
OPENED_EVERY = 0.02
LAST_TICKS = 4.0


@dataclass
class Told:
    """Times of a run in seconds, and errors; `sent` is when the last move of a game was sent."""

    from_tick: list[float] = field(default_factory=list)
    from_move: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: dict[str, float] = field(default_factory=dict)
    missed: int = 0  # pages that got no tick of the last move


class OpenPage:
    """The page of one player: fetches the table on a tick, and moves some seconds after being asked."""

    def __init__(self, person: Person, told: Told, rng: Random) -> None:
        self._browser = person.browser
        self._cookie = person.cookie
        self._game = person.games[0]
        self._told = told
        self._rng = rng
        self._version = -1
        self._over = False
        self._ticked: float | None = None
        self._news = asyncio.Event()
        self._move: asyncio.Task[None] | None = None

    async def live(self, port: int, stop: asyncio.Event) -> None:
        """Keep the page open until `stop`."""
        async with opened(port, f"/ws/games/{self._game}/", self._cookie) as socket:
            works = [asyncio.create_task(work) for work in (self._listen(socket), self._ask(), _say(socket))]
            await self._get(f"/games/{self._game}/")
            await stop.wait()
            # Nobody moves any more; wait for the last ticks.
            self._over = True
            if self._move:
                self._move.cancel()
            await asyncio.sleep(LAST_TICKS)
            for work in works:
                work.cancel()
        missed = await self._get(f"/games/{self._game}/table/?after={self._version}", 200, 204)
        self._told.missed += missed is not None and missed.status == 200

    async def _listen(self, socket: ClientConnection) -> None:
        """Record ticks as they come; while the page fetches, the first further tick counts."""
        try:
            async for text in socket:
                if json.loads(text)["version"] > self._version and self._ticked is None:
                    self._ticked = time.monotonic()
                    self._news.set()
        except ConnectionClosed as closed:
            self._told.errors.append(f"socket closed: {closed}")

    async def _ask(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            ticked, self._ticked = self._ticked, None
            sent = self._told.sent.get(self._game)
            before = self._version
            await self._get(f"/games/{self._game}/table/?after={self._version}", 200, 204)
            if ticked is not None and self._version > before:
                now = time.monotonic()
                self._told.from_tick.append(now - ticked)
                if sent is not None:
                    self._told.from_move.append(now - sent)

    async def _get(self, path: str, *allowed: int) -> Answer | None:
        try:
            answer = await self._browser.get(path, HX_Request="true")
        except Lost as lost:
            self._told.errors.append(str(lost))
            return None
        self._take(answer, f"GET {path}", *(allowed or (200,)))
        return answer

    def _take(self, answer: Answer, what: str, *allowed: int) -> None:
        """Show the table of an answer, and start thinking if it asks."""
        if answer.status not in allowed:
            self._told.errors.append(f"{answer.status} to {what}: {answer.text[:200]}")
        shown = version(answer.text)
        if shown <= self._version:
            return
        self._version = shown
        question = asked(answer.text)
        if question is not None and not self._over:
            fields = self._rng.choice(question.answers)
            self._move = asyncio.create_task(self._play(question.action, fields))

    async def _play(self, action: str, fields: dict[str, str]) -> None:
        await asyncio.sleep(THINKING)
        self._told.sent[self._game] = time.monotonic()
        try:
            answer = await self._browser.post(action, fields, HX_Request="true")
        except Lost as lost:
            self._told.errors.append(str(lost))
            return
        self._take(answer, f"POST {action} {fields}", 200)


@contextlib.asynccontextmanager
async def opened(port: int, path: str, cookie: str = "") -> AsyncIterator[ClientConnection]:
    """A socket of a page at the site on this port."""
    async with connect(
        f"ws://localhost:{port}{path}",
        host="127.0.0.1",
        port=port,
        origin=f"http://localhost:{port}",  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie} if cookie else {},
        compression=None,
        open_timeout=60,
        ping_interval=None,
        proxy=None,
    ) as socket:
        yield socket


async def _say(socket: ClientConnection) -> None:
    """Report the page as visible from time to time."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send(SEEN)
            await asyncio.sleep(SEEN_SECONDS)


async def _idle(port: int, count: int, stack: contextlib.AsyncExitStack) -> None:
    """Open this number of sockets of visitors in the lobby."""
    for first in range(0, count, OPENED_AT_ONCE):
        some = range(min(OPENED_AT_ONCE, count - first))
        await asyncio.gather(*(stack.enter_async_context(opened(port, "/ws/lobby/")) for _ in some))


async def _run(
    stack: Stack, people: list[Person], told: Told, *, idle: int, seconds: float
) -> tuple[Effort, float]:
    rng, stop, effort = Random(0), asyncio.Event(), Effort()
    async with contextlib.AsyncExitStack() as sockets:
        await _idle(stack.port, idle, sockets)
        pages = []
        for person in people:
            pages.append(
                asyncio.create_task(OpenPage(person, told, Random(rng.random())).live(stack.port, stop))
            )
            await asyncio.sleep(OPENED_EVERY)
        with effort.measured():
            await asyncio.sleep(seconds)
        memory = megabytes(pid for name in stack.web_names for pid in stack.processes[name].pids)
        stop.set()
        await asyncio.gather(*pages)
    return effort, memory


def sockets(stack: Stack, *, people: int = 200, idle: int = 1000, seconds: float = 60) -> Iterator[Figure]:
    """Measure idle pages and players; the stack must allow as many sockets from one address."""
    there, told = prepare(stack, people, tables_of_four(people), "open"), Told()
    effort, memory = asyncio.run(_run(stack, there, told, idle=idle, seconds=seconds))
    yield from milliseconds("sockets_tick_to_page", told.from_tick, 50, 95)
    yield from milliseconds("sockets_move_to_page", told.from_move, 50, 95)
    yield "sockets_web_memory", memory, "MiB"
    yield "sockets_missed_ticks", told.missed, "pages"
    yield "sockets_errors", len(told.errors), "errors"
    yield from ((f"sockets_error_{place}", error, "") for place, error in enumerate(told.errors[:5], 1))
    yield from effort.figures("sockets")
