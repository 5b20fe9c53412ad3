"""Counts that all processes of the site share, in the Redis of the ticks.

Without Redis each process counts for itself alone, so callers keep a count of their own as well.
"""

import threading
from secrets import token_hex
from typing import Any

from django.conf import settings

from games.realtime import redis_addresses
from games.realtime.best_effort import best_effort

# A process that has not shown itself for this time is dead, and its places are free.
LIFE_SECONDS = 15
SHOW_SECONDS = 5.0

# Places outlast their holder's visits, and are forgotten with the last of them.
_DAY = 24 * 3600

# A client of Redis, whose types do not tell that its answers are not awaited.
Server = Any

_PREFIX = "acquire-count"
_process = token_hex(8)
_showing = threading.Lock()
_shown = threading.Event()


def count_up(key: str, seconds: int) -> int | None:
    """Count one more under this key, which expires after `seconds`; return the count, None without Redis."""
    return _ask(_count_up, key, seconds)


def take_place(holder: str, place: str, most: int) -> bool:
    """Take a place for the holder; return False if all processes together hold the maximum already.

    True without Redis.
    """
    _show_this_process()
    return _ask(_take_place, holder, place, most) is not False


def give_back_place(holder: str, place: str) -> None:
    """Give back a place of the holder."""
    _ask(lambda server: server.srem(_places(holder), _member(place)))


def _count_up(server: Server, key: str, seconds: int) -> int:
    with server.pipeline() as pipeline:
        pipeline.incr(f"{_PREFIX}:{key}")
        pipeline.expire(f"{_PREFIX}:{key}", seconds)
        return int(pipeline.execute()[0])


def _take_place(server: Server, holder: str, place: str, most: int) -> bool:
    places = _places(holder)
    with server.pipeline() as pipeline:
        pipeline.sadd(places, _member(place))
        pipeline.expire(places, _DAY)
        pipeline.scard(places)
        taken = pipeline.execute()[-1]
    if taken <= most or taken - _free_places_of_the_dead(server, places) <= most:
        return True
    server.srem(places, _member(place))
    return False


def _free_places_of_the_dead(server: Server, places: str) -> int:
    """Free the places of processes that are no more; return how many there were."""
    members = server.smembers(places)
    processes = {member.decode().partition("/")[0] for member in members} - {_process}
    dead = {process for process in processes if not server.exists(_life(process))}
    stale = [member for member in members if member.decode().partition("/")[0] in dead]
    return int(server.srem(places, *stale)) if stale else 0


def _show_this_process() -> None:
    """Begin to show other processes that this one lives, and wait until it has been shown once."""
    with _showing:
        if not _shown.is_set():
            _ask(_show)
            threading.Thread(target=_show_forever, daemon=True, name="shared counts").start()
            _shown.set()


def _show_forever() -> None:
    while not threading.Event().wait(SHOW_SECONDS):
        _ask(_show)


def _show(server: Server) -> None:
    server.set(_life(_process), 1, ex=LIFE_SECONDS)


def _life(process: str) -> str:
    return f"{_PREFIX}:process:{process}"


def _places(holder: str) -> str:
    return f"{_PREFIX}:places:{holder}"


def _member(place: str) -> str:
    return f"{_process}/{place}"


def _ask(question: Any, *args: Any) -> Any:
    """Return the answer of Redis, or None if it does not answer."""
    if not settings.CHANNEL_URLS:
        return None
    server = redis_addresses.client(settings.CHANNEL_URLS[0], settings.REDIS_TIMEOUT)
    answers: list[Any] = []
    best_effort(lambda: answers.append(question(server, *args)))
    return answers[0] if answers else None
