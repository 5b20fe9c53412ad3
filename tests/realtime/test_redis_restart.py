"""A Redis that was restarted while no page was open: the next socket and the next tick find the new one."""

import asyncio
import contextlib
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer

from acquire_site import embedded_redis
from games.realtime import redis_addresses
from tests.support.own_loop import run_in_own_loop
from tests.support.played_site import missing

# The receiver of a channel layer looks at its connection ten times a second.
QUIET_SECONDS = 0.5


class Server:
    """A Redis that can be restarted at the same address."""

    def __init__(self, program: str) -> None:
        self._port = embedded_redis.free_port()
        self._command = embedded_redis.redis_server(program, self._port).command
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command)
        embedded_redis.wait_until_it_answers(self._port)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def server() -> Iterator[Server]:
    program = embedded_redis.redis_program()
    if not program:
        missing("redis")
    server = Server(program)
    try:
        yield server
    finally:
        server.stop()


async def leave(layer: RedisPubSubChannelLayer, channel: str) -> None:
    """Close a channel as a consumer does."""
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(QUIET_SECONDS)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(QUIET_SECONDS)


async def use_before_and_after_restart(server: Server, host: dict[str, Any]) -> None:
    """Open and close a socket, restart Redis, and open one that gets a tick."""
    layer = RedisPubSubChannelLayer(hosts=[host])
    try:
        before = await layer.new_channel()
        await layer.group_send("game", {"type": "tick"})
        await leave(layer, before)
        server.stop()
        server.start()
        after = await layer.new_channel()
        await layer.group_add("game", after)
        await layer.group_send("game", {"type": "tick"})
        async with asyncio.timeout(5):
            assert await layer.receive(after) == {"type": "tick"}
    finally:
        await layer.flush()


def test_first_socket_after_a_restart_is_opened_and_gets_ticks(server: Server) -> None:
    run_in_own_loop(use_before_and_after_restart(server, redis_addresses.channel_host(server.url, 1.0)))


def test_without_connecting_again_the_first_socket_would_fail(server: Server) -> None:
    """The twin."""
    with pytest.raises(redis.ConnectionError):
        run_in_own_loop(use_before_and_after_restart(server, {"address": server.url}))
