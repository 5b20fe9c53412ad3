"""The client's address and scheme behind our proxies.

Anybody may send an X-Forwarded-For header with any beginning; each proxy appends the address of its client.
With two proxies of ours, the last entry but one is the client of the outer proxy.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


class TrustedProxies:
    """ASGI wrapper that sets client and scheme behind this many `hops`; 0 changes nothing."""

    def __init__(self, application: Application, hops: int) -> None:
        self.application = application
        self.hops = hops

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if self.hops and scope["type"] in {"http", "websocket"}:
            scope = {**scope, **self._believed(scope)}
        await self.application(scope, receive, send)

    def _believed(self, scope: Scope) -> dict[str, Any]:
        headers = scope.get("headers", [])
        told: dict[str, Any] = {}
        if address := _address(_entry(headers, b"x-forwarded-for", self.hops)):
            told["client"] = (address, 0)
        protocols = _entries(headers, b"x-forwarded-proto")
        if protocols and (protocol := protocols[-min(self.hops, len(protocols))]) in {"http", "https"}:
            secure = "s" if protocol == "https" else ""
            told["scheme"] = f"{'ws' if scope['type'] == 'websocket' else 'http'}{secure}"
        return told


def _entry(headers: Iterable[tuple[bytes, bytes]], name: bytes, hops: int) -> str:
    """The entry that the outermost of our proxies wrote; "" if some of them were bypassed."""
    entries = _entries(headers, name)
    return entries[-hops] if len(entries) >= hops else ""


def _entries(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[str]:
    texts = [value.decode("latin-1") for key, value in headers if key.lower() == name]
    return [entry.strip() for text in texts for entry in text.split(",")]


def _address(entry: str) -> str:
    """The address in an entry, which may have a port; "" if there is none."""
    host = entry
    if entry.startswith("["):
        host = entry[1:].partition("]")[0]
    elif entry.count(":") == 1:
        host = entry.partition(":")[0]
    try:
        return str(ip_address(host))
    except ValueError:
        return ""
