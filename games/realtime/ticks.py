"""Ticks for open pages: which game is at which version.

A lost tick does no harm, because pages also ask by themselves.
"""

import asyncio
from collections.abc import Sequence
from secrets import token_hex
from typing import Any
from zlib import crc32

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings

from games.realtime import background_loop
from games.realtime.best_effort import best_effort

# The group of all pages with public lists.
LOBBY = "lobby"


# Ticks are spread over these groups of processes, and so over several servers of Redis if there are any.
ALL_SHARDS = tuple(f"ticks.{number}" for number in range(8))


def send_tick(
    public_id: str,
    version: int,
    users: Sequence[int],
    *,
    lobby: bool = False,
    shown: int | None = None,
) -> None:
    """Send the version of a game to all pages that show it and to the pages of these users.

    With `lobby` also to all pages with lists of games. `shown` is the version for spectators, if it is
    another: then only the users get `version`.
    """
    if shown is not None and shown != version:
        send_tick_to(users, public_id, version)
        version, users = shown, ()
    message = {"type": "tick", "game": public_id, "version": version, "mark": token_hex(4)}
    lists = [LOBBY] if lobby else []
    best_effort(_tick, [game_group(public_id), *map(user_group, users), *lists], message)


def send_tick_to(users: Sequence[int], public_id: str, version: int) -> None:
    """Send the version of a game to the pages of these users alone."""
    message = {"type": "tick", "game": public_id, "version": version, "mark": token_hex(4)}
    if users:
        best_effort(_tick, [*map(user_group, users)], message)


def recheck_login(user_id: int) -> None:
    """Have the sockets of this user check whether the user is still logged in."""
    best_effort(_tick, [user_group(user_id)], {"type": "recheck_login"})


def game_group(public_id: str) -> str:
    return f"game.{public_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def _tick(groups: Sequence[str], message: dict[str, Any]) -> None:
    """Send each process one message, which it hands on to its pages in these groups."""
    shard, message = _shard(groups[0]), {**message, "groups": list(groups)}
    if settings.CHANNEL_URLS:
        # Not in the loop of the caller: a new loop for each tick would be a new connection for each.
        background_loop.run(_group_send(shard, message))
    else:
        async_to_sync(_group_send)(shard, message)


def _shard(group: str) -> str:
    return ALL_SHARDS[crc32(group.encode()) % len(ALL_SHARDS)]


async def _group_send(shard: str, message: dict[str, Any]) -> None:
    # Sends wait for one another, and Redis may answer none, so limit all together.
    async with asyncio.timeout(settings.REDIS_TIMEOUT):
        await get_channel_layer().group_send(shard, message)
