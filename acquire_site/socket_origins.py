"""Refusal of WebSockets from pages of other sites, compared by scheme, host and port.

Browsers let every page open a socket to every site and send the cookies along; only the Origin header tells.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

_PORTS = {"http": 80, "https": 443}
_SCHEMES = {"ws": "http", "wss": "https"}


def refuse_other_origins(application: Application) -> Application:
    """ASGI wrapper that refuses sockets of pages of other sites."""

    async def wrapped(scope: Scope, receive: Any, send: Any) -> None:
        denier = WebsocketDenier()
        await (application if is_allowed(scope) else denier)(scope, receive, send)

    return wrapped


def is_allowed(scope: Scope) -> bool:
    """Return whether the Origin is this site as the browser has asked for it, or one of CSRF_TRUSTED_ORIGINS.

    The scheme is that of the outermost of our proxies; see `trusted_proxies.py`.
    """
    origins = _headers(scope, b"origin")
    if len(origins) != 1 or (origin := _place(origins[0])) is None:
        return False
    return origin in _own_places(scope) or any(
        _matches(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
    )


Place = tuple[str, str, int]


def _place(url: str) -> Place | None:
    """Return scheme, host and port of an address that has nothing else; None for any other text."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    bare = SplitResult(parts.scheme, parts.netloc, "", "", "")
    if parts != bare or "@" in parts.netloc or not parts.hostname or parts.scheme not in _PORTS:
        return None
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]


def _own_places(scope: Scope) -> Iterable[Place]:
    """The site under the name for which the browser has asked, if it is one of ours."""
    scheme = _SCHEMES.get(scope.get("scheme", "ws"), "")
    for host in _headers(scope, b"host")[:1]:
        name, _port = split_domain_port(host)
        if name and validate_host(name, settings.ALLOWED_HOSTS) and (place := _place(f"{scheme}://{host}")):
            yield place


def _matches(origin: Place, trusted: str) -> bool:
    """Return whether the origin is the trusted one; its host may begin with `*.`, as Django allows."""
    if "://*." in trusted:
        place = _place(trusted.replace("://*.", "://", 1))
        return (
            place is not None
            and (origin[0], origin[2]) == (place[0], place[2])
            and is_same_domain(origin[1], f".{place[1]}")
        )
    return origin == _place(trusted)


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope.get("headers", []) if key.lower() == name]
