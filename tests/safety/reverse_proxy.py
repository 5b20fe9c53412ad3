"""A small reverse proxy: `python -m tests.safety.reverse_proxy PORT PORT_OF_A_WEB_PROCESS …`.

It stands where production has one with TLS: requests go to the web processes in turn, with the
headers that say who asks and that the way here was a safe one. A web process that is not there is
passed over; what was sent to one that then died is answered with 502, for nobody knows what it did.
"""

import asyncio
import contextlib
import itertools
import sys

import uvloop

CHUNK = 64 * 1024
BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"
    b"Bad gateway\n"
)
# Headers that only this proxy may set.
_OURS = (b"connection:", b"keep-alive:", b"x-forwarded-")


class Proxy:
    """Passes one request per connection, or one WebSocket, to the web processes in turn."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._turns = itertools.count()

    async def serve(self, port: int) -> None:
        """Listen on this port of this machine until cancelled."""
        server = await asyncio.start_server(self._meet, "127.0.0.1", port, limit=CHUNK, backlog=2048)
        async with server:
            await server.serve_forever()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self._pass(reader, writer)
        writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        upstream = await self._connect()
        if upstream is None:
            writer.write(BAD_GATEWAY)
            await writer.drain()
            return
        answers, asks = upstream
        asks.write(_rewritten(head, writer.get_extra_info("peername")[0]))
        there = asyncio.create_task(_copy(reader, asks))
        back = asyncio.create_task(_copy(answers, writer))
        # Either side may end it: the web process with its answer, or the browser by leaving.
        await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        if back.done() and not await back:
            writer.write(BAD_GATEWAY)
            await writer.drain()
        there.cancel()
        back.cancel()
        asks.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Connect to the web process whose turn it is, or to the next one that runs."""
        turn = next(self._turns)
        for step in range(len(self._ports)):
            port = self._ports[(turn + step) % len(self._ports)]
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port, limit=CHUNK)
        return None


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """Copy until the end; returns the number of bytes."""
    copied = 0
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            copied += len(data)
            writer.write(data)
            await writer.drain()
    return copied


def _rewritten(head: bytes, client: str) -> bytes:
    """Rewrite the head of a request for the web process."""
    first, *lines = head[:-4].split(b"\r\n")
    upgrade = any(line.lower().startswith(b"upgrade:") for line in lines)
    kept = [line for line in lines if not line.lower().startswith(_OURS)]
    added = [
        b"X-Forwarded-For: " + client.encode(),
        b"X-Forwarded-Proto: https",
        b"Connection: Upgrade" if upgrade else b"Connection: close",
    ]
    return b"\r\n".join([first, *kept, *added, b"", b""])


if __name__ == "__main__":
    own_port, *web_ports = map(int, sys.argv[1:])
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(Proxy(web_ports).serve(own_port))
