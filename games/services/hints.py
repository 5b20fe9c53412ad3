"""Hints after a commit: ticks for open pages and tasks for workers.

They may be lost without harm. Pages ask again by themselves and the sweeper finds what is due,
so a hint never waits long for Redis and never fails a request.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.conf import settings
from django.utils import timezone

log = logging.getLogger(__name__)

# After Redis did not answer, all hints of this process skip it for so many seconds.
SILENCE = 5.0

# With Redis as its broker Celery takes low numbers first; without one a message has 0.
LAST = 9

# What waits behind all others is asked for again: a message that nobody took in so many seconds is void.
VOID_AFTER = 60.0

# The group of all pages with lists for everybody.
LOBBY = "lobby"

_silent_until = 0.0


def tell(public_id: str, version: int, users: Sequence[int], *, lobby: bool = False) -> None:
    """A tick for all who look at the game and for each of these users: the version and no more.

    With `lobby` also for all who look at the lists of games.
    """
    message = {"type": "tick", "game": public_id, "version": version, "mark": token_hex(4)}
    lists = [LOBBY] if lobby else []
    _try(_tick, [game_group(public_id), *map(user_group, users), *lists], message)


def look_again(user_id: int) -> None:
    """The sockets of this user shall see whether the user is still logged in."""
    _try(_tick, [user_group(user_id)], {"type": "look_again"})


def ask_computer(game_id: int, version: int, begin: datetime) -> bool:
    """Ask a worker to begin with a computer's move at that time; whether the broker took the message.

    The message waits at the worker, so that no other game waits behind this one.
    """
    if not settings.REDIS_URL:
        return False
    wait = max(0.0, (begin - timezone.now()).total_seconds())
    return _try(current_app.send_task, "games.tasks.play_computer", args=[game_id, version], countdown=wait)


def ask_advice(game_id: int, version: int) -> bool:
    """Ask a worker what a computer would do in a person's place; whether the broker took the message."""
    if not settings.REDIS_URL:
        return False
    return _try(current_app.send_task, "games.tasks.advise", args=[game_id, version])


def ask_story(game_id: int) -> bool:
    """Ask a worker to rate what was decided in a game that is over; whether the broker took the message.

    Whoever plays comes first: it waits until no computer's move does, though not beyond VOID_AFTER.
    """
    if not settings.REDIS_URL:
        return False
    message = {"args": [game_id], "priority": LAST, "expires": VOID_AFTER}
    return _try(current_app.send_task, "games.tasks.assess", **message)


def ask_puzzles() -> bool:
    """Ask a worker to look for puzzles, when no game waits for it; whether the broker took the message."""
    if not settings.REDIS_URL:
        return False
    return _try(current_app.send_task, "games.tasks.find_puzzles", priority=LAST)


def ask_delivery() -> bool:
    """Ask a worker to send what people are to be told; whether the broker took the message."""
    if not settings.REDIS_URL:
        return False
    return _try(current_app.send_task, "games.tasks.deliver")


def ask_counting() -> bool:
    """Ask a worker to read games that are over; whether the broker took the message."""
    if not settings.REDIS_URL:
        return False
    return _try(current_app.send_task, "games.tasks.count_results")


def game_group(public_id: str) -> str:
    return f"game.{public_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


@async_to_sync
async def _tick(groups: Sequence[str], message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    # Of several at once, each waits for the one before it, and Redis may answer none.
    async with asyncio.timeout(settings.REDIS_PATIENCE):
        for group in groups:
            await layer.group_send(group, message)


def _try(hint: Any, *args: Any, **kwargs: Any) -> bool:
    global _silent_until
    if time.monotonic() < _silent_until:
        return False
    try:
        hint(*args, **kwargs)
    except Exception as error:  # whatever went wrong, the move stands
        _silent_until = time.monotonic() + SILENCE
        log.warning("A hint was lost: %s: %s", type(error).__name__, error)
        return False
    return True
