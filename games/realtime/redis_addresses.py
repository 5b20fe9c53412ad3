"""Addresses of Redis servers: `redis://…`, or sentinels that know which server leads.

`sentinel://:password@host:26379,host:26379/name/0` names sentinels, the name under which they know the
server, and its database; user and password are those of the server. Channels, Celery and redis-py each want
that in a form of their own. This module needs no settings, because they are made with it.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.sentinel import Sentinel

SENTINEL_PORT = 26379

# A connection that was idle while Redis restarted is dead, and nobody has noticed: connect once more at once,
# else the next socket would be answered with an error. A Redis that hangs is not asked again.
RECONNECT: Final[dict[str, Any]] = {
    "retry": Retry(NoBackoff(), 1, (redis.ConnectionError,)),
    "retry_on_error": [redis.ConnectionError],
}

_SENTINELS = re.compile(
    r"sentinel://(?:(?P<user>[^:@/]*):(?P<password>[^@/]*)@)?(?P<hosts>[^@/]+)/(?P<name>[^/?]+)(?:/(?P<db>\d+))?/?"
)


@dataclass(frozen=True)
class _Sentinels:
    """The parts of an address with sentinels."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    user: str
    password: str
    db: int


def addresses(text: str) -> list[str]:
    """The addresses of a list separated by commas or blanks; those with sentinels contain commas, too."""
    return [part for part in re.split(r"[,\s]+(?=[a-z+]+://)", text.strip()) if part]


def check(url: str) -> str:
    """Return what is wrong with an address, or ""."""
    if url.startswith("sentinel://") and not _SENTINELS.fullmatch(url):
        return "An address with sentinels looks like sentinel://:password@host:26379,host:26379/name/0."
    if not re.match(r"(redis|rediss|unix|sentinel)://", url):
        return "The address of a Redis looks like redis://host:6379/0."
    return ""


def channel_host(url: str, timeout: float) -> dict[str, Any]:
    """The address for a channel layer."""
    limits = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    if (found := _sentinels(url)) is None:
        return {"address": url, **limits, **RECONNECT}
    return {
        "sentinels": list(found.hosts),
        "master_name": found.name,
        "sentinel_kwargs": limits,
        **limits,
        **RECONNECT,
        **_login(found),
    }


def celery_broker(url: str, timeout: float) -> tuple[str, dict[str, Any]]:
    """The address for Celery, and the options that belong to it."""
    if (found := _sentinels(url)) is None:
        return url, {}
    login = f"{found.user}:{found.password}@" if found.password else ""
    broker = ";".join(f"sentinel://{login}{host}:{port}/{found.db}" for host, port in found.hosts)
    limits = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    return broker, {"master_name": found.name, "sentinel_kwargs": limits}


@functools.cache
def client(url: str, timeout: float) -> redis.Redis:
    """A client of the server; threads may share it."""
    if (found := _sentinels(url)) is None:
        return redis.Redis.from_url(url, socket_timeout=timeout, socket_connect_timeout=timeout)
    limits: dict[str, Any] = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    known = Sentinel(list(found.hosts), sentinel_kwargs=limits, **limits)
    leader: redis.Redis = known.master_for(found.name, **_login(found))
    return leader


def _login(found: _Sentinels) -> dict[str, Any]:
    login: dict[str, Any] = {"db": found.db}
    if found.password:
        login["password"] = unquote(found.password)
    if found.user:
        login["username"] = unquote(found.user)
    return login


def _sentinels(url: str) -> _Sentinels | None:
    if not (match := _SENTINELS.fullmatch(url)):
        return None
    hosts = [_host(text) for text in match["hosts"].split(",")]
    return _Sentinels(
        tuple(hosts), match["name"], match["user"] or "", match["password"] or "", int(match["db"] or 0)
    )


def _host(text: str) -> tuple[str, int]:
    name, _, port = text.rpartition(":")
    return (name, int(port)) if name and port.isdigit() else (text, SENTINEL_PORT)
