"""Relay of ticks from Redis to the pages of this process.

A tick comes to each process once, however many pages show the game, and is handed on by the channel layer
"pages", which is inside the process.
"""

import asyncio
import logging
from typing import Any
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

from games.realtime import ticks

logger = logging.getLogger(__name__)

# The layer of the pages of this process.
PAGES = "pages"

RETRY_SECONDS = 1.0

# The other layer for Redis forgets members of groups after a day.
RENEWAL_SECONDS = 3600.0


class _Relay:
    """The relay of one event loop; a process has one loop."""

    def __init__(self) -> None:
        self._channel = ""
        self._joined_at = 0.0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._run())

    async def wait(self) -> None:
        """Wait until ticks come in; raises what the channel layer raises."""
        await asyncio.shield(self._ready)
        if asyncio.get_running_loop().time() - self._joined_at > RENEWAL_SECONDS:
            await self._join(get_channel_layer())

    async def _run(self) -> None:
        while True:
            try:
                await self._hand_on()
            except Exception as error:
                if not self._ready.done():
                    # The next page tries again.
                    self._ready.set_exception(error)
                    return
                logger.warning("Ticks are interrupted: %s: %s", type(error).__name__, error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _hand_on(self) -> None:
        layer = get_channel_layer()
        self._channel = await layer.new_channel()
        await self._join(layer)
        if not self._ready.done():
            self._ready.set_result(None)
        while True:
            await hand_on(await layer.receive(self._channel))

    async def _join(self, layer: Any) -> None:
        for group in ticks.ALL_SHARDS:
            await layer.group_add(group, self._channel)
        self._joined_at = asyncio.get_running_loop().time()


_relays: WeakKeyDictionary[asyncio.AbstractEventLoop, _Relay] = WeakKeyDictionary()


async def hand_on(message: dict[str, Any]) -> None:
    """Hand a message on to the pages of its groups; they are not told which groups these are."""
    pages = get_channel_layer(PAGES)
    told = {name: value for name, value in message.items() if name != "groups"}
    for group in message["groups"]:
        await pages.group_send(group, told)


async def start() -> None:
    """Have this process receive ticks, unless it does; raises what the channel layer raises."""
    loop = asyncio.get_running_loop()
    relay = _relays.get(loop)
    if relay is None or relay.task.done():
        relay = _relays[loop] = _Relay()
    await relay.wait()
