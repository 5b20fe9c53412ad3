"""The page of a player at a live table, who thinks and moves: how soon the page shows what the others do.

It asks for what the page of a browser asks for, styles and scripts aside, and at the same moments; see
`live_updates.js`, `live_presence.js`, `live_clock.js` and `chat.js`. A message of the socket that carries the
table is shown as it is.
"""

import asyncio
import contextlib
import json
import re
import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.load.load_members import Person
from tests.load.open_sockets import SEEN, SEEN_SECONDS, opened
from tests.safety.headless_browser import Answer, Lost, asked, is_over, version

# The shortest and the longest time for a decision, in seconds: 15 in the mean, within the 30 of each move.
THINKING = (5.0, 25.0)

# As in the scripts of the page, in seconds.
POLLED_EVERY = 26.0
BESIDE_POLLED = 0.25
SETTLED = 2.0
TIME_ASKED_EVERY, TIME_TRIES = 60.0, 3

# A reader loads a page that was refused again after so many seconds, and presses a refused button again.
RELOADED_AFTER = 3.0

# A tick is missed if it has not come so long after the page shows what it was about; and the wait at the end.
TICK_SECONDS, LAST_TICKS = 3.0, 3.0

_ENDS = re.compile(r'data-clock-ends="(\d+)"')
_NOW = re.compile(r'data-clock-now="(\d+)"')


@dataclass
class Live:
    """Times of a run in seconds, and what went wrong; `sent` is when the move of this number was sent."""

    moves: list[float] = field(default_factory=list)
    to_others: list[float] = field(default_factory=list)
    clocks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    arriving: list[str] = field(default_factory=list)  # errors before the measurement
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    since: float = 0.0  # when the measurement began
    asked: Counter[str] = field(default_factory=Counter)  # the requests by kind
    drawn: int = 0  # tables that a socket carried
    missed: int = 0
    over: int = 0  # games that ended

    def forget(self) -> None:
        """Start measuring: drop the times of the warm-up and set its errors aside."""
        self.moves, self.to_others, self.clocks, self.drawn = [], [], [], 0
        self.asked.clear()
        self.arriving, self.errors = self.errors, []
        self.since = time.monotonic()


class LivePage:
    """The page of a player at a live table."""

    def __init__(
        self, person: Person, live: Live, rng: Random, thinking: tuple[float, float] = THINKING
    ) -> None:
        self.game = person.games[0]
        self.version = -1
        self.ends: float | None = None  # of the clock that runs, in seconds by the clock of the server
        self.offset: float | None = None  # of the server's clock from the steady one
        self._person = person
        self._browser = person.browser
        self._live = live
        self._rng = rng
        self._thinking_time = thinking
        self._news = asyncio.Event()
        self._news_beside = asyncio.Event()
        self._question = 0  # the number of the decision that is being thought about
        self._thinking: asyncio.Task[None] | None = None
        self._sends = False
        self._held_back = False
        self._over = False
        self._shown: list[tuple[int, float]] = []
        self._heard: list[tuple[int, float]] = []

    async def stay(self, port: int, stop: asyncio.Event) -> None:
        """Keep the page open until `stop`, then look once more, and wait for the last ticks."""
        while self.version < 0 and not stop.is_set():
            await self._get("page", f"/games/{self.game}/")
            if self.version < 0:
                await asyncio.sleep(self._jitter(RELOADED_AFTER))
        works = [
            asyncio.create_task(work)
            for work in (
                self._connect(port),
                self._follow(),
                self._follow_beside(),
                self._poll(),
                self._ask_time(),
            )
        ]
        await stop.wait()
        self._over = True
        self._stop_thinking()
        await asyncio.sleep(LAST_TICKS)
        self._news.set()
        await asyncio.sleep(TICK_SECONDS)
        await cancel_all(works)
        ends = await asyncio.gather(*works, return_exceptions=True)
        self._live.errors += [repr(end) for end in ends if isinstance(end, Exception)]
        self._live.missed += self._missed()

    # -- the socket

    async def _connect(self, port: int) -> None:
        while True:
            try:
                async with opened(port, f"/ws/games/{self.game}/", self._person.cookie) as socket:
                    await self._listen(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError) as error:
                self._live.errors.append(f"socket: {type(error).__name__} {error}")
            await asyncio.sleep(self._jitter(0.5))

    async def _listen(self, socket: ClientConnection) -> None:
        works = [asyncio.create_task(self._arrive()), asyncio.create_task(_say(socket))]
        try:
            async for text in socket:
                self.hear(str(text))
        finally:
            for work in works:
                work.cancel()

    async def _arrive(self) -> None:
        """Ask for what may have come before the server has subscribed this page."""
        self._news.set()
        self._news_beside.set()
        await asyncio.sleep(SETTLED)
        self._news.set()

    def hear(self, text: str) -> None:
        """Take a message of the socket: the number of a version, with or without its table."""
        message = json.loads(text)
        number = message.get("version", -1)
        if message.get("game") != self.game:
            return
        self._heard.append((number, time.monotonic()))
        carried = "".join(text for text in _texts(message) if "<" in text)
        if carried:
            self._live.drawn += 1
            self._show(carried, number)
        elif number > self.version:
            self._news.set()
        else:
            self._news_beside.set()  # not a move, so it is the chat or the like

    # -- requests

    async def _follow(self) -> None:
        """Ask for the table when there is news; one request at a time, none while a move is under way."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._sends:
                self._held_back = True
                continue
            path = f"/games/{self.game}/table/?after={self.version}"
            await self._get("table", path, 200, 204, HX_Request="true")

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._jitter(POLLED_EVERY))
            self._news.set()
            if self._rng.random() < BESIDE_POLLED:
                self._news_beside.set()

    async def _follow_beside(self) -> None:
        """Ask who is at the table, and for the number of unread messages, when there may be news of them."""
        while True:
            await self._news_beside.wait()
            self._news_beside.clear()
            await self._get("presence", f"/games/{self.game}/presence/")
            path = f"/games/{self.game}/talk/unread/?known=0"
            await self._get("unread", path, 200, 204, HX_Request="true")

    async def _ask_time(self) -> None:
        while True:
            found: list[tuple[float, float]] = []
            for _ in range(TIME_TRIES):
                sent = time.monotonic()
                answer = await self._get("time", "/server-time/")
                if answer is None:
                    break
                trip = time.monotonic() - sent
                found.append((trip, float(answer.text) / 1000 - sent - trip / 2))
            if found:
                self.offset = min(found)[1]
            await asyncio.sleep(TIME_ASKED_EVERY)

    async def _get(self, kind: str, path: str, *allowed: int, **headers: str) -> Answer | None:
        """Show the table of the answer if it has one; None unless the status is allowed."""
        self._live.asked[kind] += 1
        try:
            answer = await self._browser.get(path, **headers)
        except Lost as lost:
            self._live.errors.append(str(lost))
            return None
        if answer.status not in (allowed or (200,)):
            self._live.errors.append(f"{answer.status} to GET {path}: {answer.text[:200]}")
            if kind == "table" and answer.status == 503:
                wait = self._jitter(float(answer.headers.get("retry-after", 5)))
                asyncio.get_running_loop().call_later(wait, self._news.set)
            return None
        self._show(answer.text, version(answer.text))
        return answer

    # -- what is shown

    def _show(self, text: str, number: int) -> None:
        """Show the table of this version unless a newer one is shown, and think if it asks."""
        if number <= self.version:
            return
        now, before, self.version = time.monotonic(), self.version, number
        self._shown.append((number, now))
        ends = _ENDS.search(text)
        self.ends = float(ends[1]) / 1000 if ends else None
        if self.offset is None and (drawn := _NOW.search(text)):
            self.offset = float(drawn[1]) / 1000 - now  # until the server has told its time
        for entry in range(before + 1, number + 1) if before >= 0 else ():
            sent = self._live.sent.get((self.game, entry), 0.0)
            if sent > self._live.since > 0 and entry != self._question:
                self._live.to_others.append(now - sent)
        self._stop_thinking()
        question = None if self._over else asked(text)
        if question is not None:
            self._question = question.number
            fields = self._rng.choice(question.answers)
            thinks = self._rng.uniform(*self._thinking_time)
            self._thinking = asyncio.create_task(self._decide(question.action, fields, thinks))
        elif not self._over and is_over(text):
            self._over = True
            self._live.over += 1

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = None

    async def _decide(self, action: str, fields: dict[str, str], thinks: float) -> None:
        await asyncio.sleep(thinks)
        number, sent = self._question, time.monotonic()
        self._sends, self._thinking, self._live.sent[self.game, number] = True, None, sent
        self._live.asked["move"] += 1
        try:
            answer = await self._browser.post(action, fields, HX_Request="true")
        except Lost as lost:
            self._live.errors.append(str(lost))
        else:
            self._take(answer, f"POST {action} {fields}", number, time.monotonic() - sent)
        self._sends = False
        if self.version < number:
            again = self._decide(action, fields, self._jitter(RELOADED_AFTER))
            self._thinking = asyncio.create_task(again)
        if self._held_back:
            self._held_back = False
            if any(heard > self.version for heard, _ in self._heard):
                self._news.set()

    def _take(self, answer: Answer, what: str, number: int, seconds: float) -> None:
        """Show the answer to the move of this number."""
        if answer.status == 200:
            self._live.moves.append(seconds)
        else:
            self._live.errors.append(f"{answer.status} to {what}: {answer.text[:200]}")
            del self._live.sent[self.game, number]
        self._show(answer.text, version(answer.text))

    def clock_error(self, deadline: float) -> float | None:
        """Seconds by which the clock shown differs from this deadline now; None if none is shown."""
        if self.ends is None or self.offset is None:
            return None
        shown = self.ends - (time.monotonic() + self.offset)
        return abs(shown - (deadline - time.time()))

    def _missed(self) -> int:
        """The number of versions shown of which no tick has told in time."""
        missed = 0
        for number, at in self._shown:
            if at >= self._live.since > 0:
                told = any(one >= number and when <= at + TICK_SECONDS for one, when in self._heard)
                missed += not told
        return missed

    def _jitter(self, seconds: float) -> float:
        return seconds * self._rng.uniform(0.75, 1.25)


def _texts(value: Any) -> Iterator[str]:
    """All texts of a message, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


async def cancel_all(works: Collection["asyncio.Task[None]"]) -> None:
    """Cancel tasks until they have ended: one whose answer comes at that moment overlooks it."""
    while works:
        for work in works:
            work.cancel()
        _, works = await asyncio.wait(works, timeout=1)


async def _say(socket: ClientConnection) -> None:
    """Report the page as visible from time to time."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send(SEEN)
            await asyncio.sleep(SEEN_SECONDS)
