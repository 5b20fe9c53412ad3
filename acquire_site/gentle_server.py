"""Patch of uvicorn, so that a web process that is replaced loses no request, and says when it takes requests.

Uvicorn closes connections without a request at once when it is asked to end. A proxy may have opened one just
now and be about to send the request.
"""

import asyncio
import contextlib
import os
import socket

import uvicorn

# Seconds in which a request arrives on a connection that a proxy has opened for it.
ARRIVAL_SECONDS = 0.3

_startup, _shutdown = uvicorn.Server.startup, uvicorn.Server.shutdown


async def startup(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
    await _startup(self, sockets)
    if self.started:
        tell_ready()


async def shutdown(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
    for listener in self.servers:
        listener.close()
    await asyncio.sleep(ARRIVAL_SECONDS)
    await _shutdown(self, sockets)


def tell_ready() -> None:
    """Tell the supervisor, if there is one, that this process takes connections."""
    if descriptor := os.environ.pop("READY_FD", ""):
        with contextlib.suppress(OSError, ValueError):
            os.write(int(descriptor), b"1")
            os.close(int(descriptor))


def mend() -> None:
    """Make every server of this process start and end like this."""
    uvicorn.Server.startup = startup  # type: ignore[method-assign]
    uvicorn.Server.shutdown = shutdown  # type: ignore[method-assign]
