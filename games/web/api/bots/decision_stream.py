"""Long polls and streams of decisions, which hold no thread or database connection while they wait.

One thread queries the database for all of them in turn, so that they never compete with pages. Queries
follow ticks; a lost tick is made up for by a query at regular intervals.
"""

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any, Final

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections
from django.http import StreamingHttpResponse

from accounts.api_access import api_tokens
from accounts.models import ApiToken, SiteSwitch, User
from accounts.operator import site_switches
from games.play.open_decisions import numbers_asked, open_decisions
from games.realtime import tick_relay, ticks
from games.web.api.bots import bot_json

logger = logging.getLogger(__name__)

# Waiting connections per bot account and in total, in each web process.
MAX_PER_ACCOUNT: Final = 2
MAX_CONNECTIONS: Final = 200

# Seconds after which to query without a tick; also the heartbeat of a stream.
NOW_AND_THEN = 10.0

# Seconds after which a stream ends, for its program to connect again.
MAX_STREAM_SECONDS = 3600.0

Line = dict[str, Any]
Marks = set[tuple[str, int]]

_open: Counter[int] = Counter()
_counting = Lock()
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="programs")


class LongPollResponse(StreamingHttpResponse):
    """A long-lived response that holds neither its thread nor a database connection."""

    lasts = True


def answered(token: ApiToken, seconds: int) -> LongPollResponse | None:
    """Return the open decisions as soon as there is one, or an empty list after `seconds`.

    Return None if the bot account has too many waiting connections.
    """
    return _lasting(token, _one_answer(token, seconds), "application/json")


def stream_decisions(token: ApiToken) -> LongPollResponse | None:
    """Stream open decisions as lines, with empty lines as heartbeat; None as for `answered`."""
    return _lasting(token, _lines(token), "application/x-ndjson")


def _lasting(token: ApiToken, parts: AsyncIterator[bytes], kind: str) -> LongPollResponse | None:
    key = token.member_id
    with _counting:
        if _open[key] >= MAX_PER_ACCOUNT or _open.total() >= MAX_CONNECTIONS:
            return None
        _open[key] += 1
    answer = LongPollResponse(parts, content_type=kind, headers={"X-Accel-Buffering": "no"})
    # Also called when the client hangs up, or never began to read.
    answer._resource_closers.append(lambda: _gone(key))  # type: ignore[attr-defined]
    return answer


def _gone(key: int) -> None:
    with _counting:
        _open[key] -= 1
        if _open[key] <= 0:
            del _open[key]


async def _one_answer(token: ApiToken, seconds: int) -> AsyncIterator[bytes]:
    until = time.monotonic() + seconds
    found: list[Line] | None = []
    async with _ticks(token.member_id) as tick:
        while not (found := await _look(token, set())):
            left = until - time.monotonic()
            if found is None or left <= 0:
                break
            await tick(min(left, NOW_AND_THEN))
    yield json.dumps({"decisions": found or []}).encode()


async def _lines(token: ApiToken) -> AsyncIterator[bytes]:
    until = time.monotonic() + MAX_STREAM_SECONDS
    told: Marks = set()
    async with _ticks(token.member_id) as tick:
        while time.monotonic() < until:
            found = await _look(token, told)
            if found is None:
                return
            told |= {(line["game"], line["number"]) for line in found}
            yield b"".join(json.dumps(line).encode() + b"\n" for line in found) or b"\n"
            await tick(NOW_AND_THEN)


async def _look(token: ApiToken, told: Marks) -> list[Line] | None:
    """Return decisions not told yet, or None if the token is invalid or the API is switched off."""
    return await sync_to_async(_looked, thread_sensitive=False, executor=_thread)(token, told)


def _looked(token: ApiToken, told: Marks) -> list[Line] | None:
    try:
        if site_switches.is_on(SiteSwitch.Kind.PROGRAMS) or not api_tokens.is_still_valid(token):
            return None
        user: User = token.member
        if numbers_asked(user) <= told:
            return []
        lines = [bot_json.decision(asked) for asked in open_decisions(user)]
        return [line for line in lines if (line["game"], line["number"]) not in told]
    finally:
        close_old_connections()


@asynccontextmanager
async def _ticks(user_id: int) -> AsyncIterator[Callable[[float], Awaitable[None]]]:
    """Yield a function that waits for a tick of the user's games, for a number of seconds at most."""
    try:
        await tick_relay.start()
    except Exception as error:
        # Without Redis, decisions are found by the queries at intervals.
        logger.warning("A bot account gets no ticks: %s: %s", type(error).__name__, error)
    layer = get_channel_layer(tick_relay.PAGES)
    channel = await layer.new_channel()
    group = ticks.user_group(user_id)
    await layer.group_add(group, channel)
    heard: asyncio.Task[Any] | None = None

    async def tick(seconds: float) -> None:
        nonlocal heard
        # Never cancelled on a timeout: the layer takes that for the end of the channel.
        heard = heard or asyncio.ensure_future(layer.receive(channel))
        done, _waiting = await asyncio.wait({heard}, timeout=seconds)
        if done:
            failed, heard = heard.exception() is not None, None
            if failed:
                await asyncio.sleep(min(seconds, NOW_AND_THEN))

    try:
        yield tick
    finally:
        if heard is not None:
            heard.cancel()
        await layer.group_discard(group, channel)
