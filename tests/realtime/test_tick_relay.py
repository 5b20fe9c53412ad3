"""A tick comes to a process as one message, and to each of its pages."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Game
from games.realtime import background_loop, ticks
from tests.support.games import NewGame, play_on
from tests.support.page_sockets import socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("channel_layer")]

PAGES = 20


class Counts:
    """Numbers of messages and of receivers, as Redis counts them."""

    def __init__(self, server: redis.Redis) -> None:
        self._server = server

    def forget(self) -> None:
        self._server.config_resetstat()

    @property
    def published(self) -> int:
        found: dict[str, Any] = self._server.info("commandstats")
        return int(found.get("cmdstat_publish", {}).get("calls", 0))

    @property
    def receivers(self) -> dict[str, int]:
        """The number of connections that get the messages of each channel."""
        counts: Any = self._server.pubsub_numsub(*self._server.pubsub_channels())
        return dict(counts)

    def cut(self) -> int:
        """Cut the connections of processes that listen; return how many there were."""
        return int(self._server.client_kill_filter(_type="pubsub"))


@pytest.fixture
def counts(redis_url: str) -> Iterator[Counts]:
    with redis.Redis.from_url(redis_url) as server:
        yield Counts(server)


@pytest.fixture
def watched(start: NewGame, alice: User, bob: User, settings: Any, redis_url: str) -> Game:
    settings.CHANNEL_URLS, settings.SOCKETS_PER_ADDRESS = [redis_url], PAGES
    return start(alice, bob)


@asynccontextmanager
async def open_pages(game: Game, number: int = PAGES) -> AsyncIterator[list[ApplicationCommunicator]]:
    async with AsyncExitStack() as stack:
        path = f"/ws/games/{game.public_id}/"
        pages = [await stack.enter_async_context(socket(path, AnonymousUser())) for _ in range(number)]
        for page in pages:
            assert (await page.receive_output(timeout=10))["type"] == "websocket.accept"
        yield pages


async def versions(pages: list[ApplicationCommunicator]) -> set[int]:
    """The version that the next tick tells each page."""
    return {json.loads((await page.receive_output(timeout=10))["text"])["version"] for page in pages}


async def test_tick_for_many_pages_is_one_message(watched: Game, counts: Counts) -> None:
    async with open_pages(watched) as pages:
        counts.forget()
        await sync_to_async(play_on)(watched, 1)
        assert await versions(pages) == {1}
        # One sent, for each process one, and no page has a subscription of its own.
        assert counts.published == 1
        assert set(counts.receivers.values()) == {1}
        for page in pages:
            assert await page.receive_nothing()


async def test_pages_with_subscriptions_of_their_own_are_counted(counts: Counts, watched: Game) -> None:
    """The twin: on the layer of Redis itself each page has a channel there."""
    layer = get_channel_layer()
    names = [await layer.new_channel() for _ in range(PAGES)]
    assert len(names) == PAGES
    assert len(counts.receivers) >= PAGES


async def test_page_that_opens_while_others_close_misses_no_tick(watched: Game) -> None:
    for version in range(1, 6):
        async with open_pages(watched, 3) as pages:
            await sync_to_async(play_on)(watched, 1)
            assert await versions(pages) == {version}


async def test_ticks_go_on_after_redis_has_cut_the_connection(watched: Game, counts: Counts) -> None:
    async with open_pages(watched) as pages:
        before = counts.receivers
        assert counts.cut() == 1
        async with asyncio.timeout(30):
            while counts.receivers != before:
                await asyncio.sleep(0.05)
        await sync_to_async(play_on)(watched, 1)
        assert await versions(pages) == {1}


def test_ticks_of_a_process_share_one_connection(watched: Game, counts: Counts, redis_url: str) -> None:
    ticks.send_tick("first", 1, [])
    with redis.Redis.from_url(redis_url) as server:
        before = server.info("stats")["total_connections_received"]
        for version in range(5):
            ticks.send_tick("agame", version, [7, 8])
        assert server.info("stats")["total_connections_received"] == before


def test_failure_in_the_background_loop_is_raised() -> None:
    async def fail() -> None:
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        background_loop.run(fail())
