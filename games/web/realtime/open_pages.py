"""The pages of games whose sockets are open in this process, and the marks that say so.

The server ends a socket whose browser answers no ping, so a page counts without reporting anything: a hidden
one may be frozen by its device.
"""

import asyncio
import logging
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db import Error

from games.play import page_presence

logger = logging.getLogger(__name__)

# Twice within the time that a page counts as open.
SIGN_SECONDS = 20.0


class _Keeper:
    """The open pages of one event loop; a process has one loop."""

    def __init__(self) -> None:
        self.sockets: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def hold(self, socket: str) -> None:
        self.sockets.add(socket)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self.sockets:
            await asyncio.sleep(SIGN_SECONDS)
            try:
                await database_sync_to_async(page_presence.keep_open)(sorted(self.sockets))
            except Error as error:
                logger.warning("Open pages are not marked: %s: %s", type(error).__name__, error)


_keepers: WeakKeyDictionary[asyncio.AbstractEventLoop, _Keeper] = WeakKeyDictionary()


def hold(socket: str) -> None:
    """Mark the page of this socket as open from now on, until it is released."""
    _keeper().hold(socket)


def release(socket: str) -> None:
    """Stop marking the page of this socket as open."""
    _keeper().sockets.discard(socket)


def _keeper() -> _Keeper:
    return _keepers.setdefault(asyncio.get_running_loop(), _Keeper())
