"""The sockets of pages. They carry ticks: which game is at which version, and nothing else.

The other way the page of a game says whether it is visible, so that who looks at it gets no mail about it.
"""

import json
import time
from collections import deque
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from games.models import Game
from games.play import page_presence
from games.realtime import socket_limits, ticks

# A page speaks when it is shown, hidden, and now and then; one that says more is no page of ours.
MOST_FRAMES = 10
FRAME_SECONDS = 10.0

LONGEST_FRAME = 40


class TickConsumer(AsyncJsonWebsocketConsumer):
    """Passes on the ticks of some groups; a page has nothing to say here, so one that speaks is cut off.

    Every page follows its reader's own games too, for the count in its header.
    """

    latest = ""
    holder = ""

    async def follow(self, *groups: str) -> None:
        """Accept the socket and pass on the ticks of these groups and the reader's.

        Without any, or when the reader has as many sockets as one may have, refuse.
        """
        user = self.scope["user"]
        own = [ticks.user_group(user.pk)] if user.is_authenticated else []
        # Channels leaves the groups that stand here when the socket closes.
        self.groups = [*groups, *own]
        self.holder = socket_limits.take(self.scope) if self.groups else ""
        if not self.holder:
            await self.close()
            return
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def receive(self, *args: Any, **kwargs: Any) -> None:
        await self.close(code=1008)

    async def disconnect(self, code: int) -> None:
        socket_limits.give_back(self.holder)
        self.holder = ""

    async def recheck_login(self, message: dict[str, Any]) -> None:
        """Close unless the reader is still logged in: somebody logged out, or was shut out."""
        if not await socket_limits.is_still_there(self.scope):
            await self.close(code=1008)

    async def tick(self, message: dict[str, Any]) -> None:
        # One tick goes to several groups, of which a page may be in more than one.
        if message["mark"] == self.latest:
            return
        self.latest = message["mark"]
        await self.send_json({"game": message["game"], "version": message["version"]})


class GameConsumer(TickConsumer):
    """Ticks of one game, for whoever looks at it; notes whether a member does."""

    game_id: int | None = None
    was_seen = False

    async def connect(self) -> None:
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        shown = Game.objects.shown_to(self.scope["user"]).filter(public_id=public_id)
        found = shown.values_list("pk", flat=True)
        self.game_id = await database_sync_to_async(found.first)()
        self.frames: deque[float] = deque(maxlen=MOST_FRAMES)
        if self.game_id is None:
            await self.close()
        else:
            await self.follow(ticks.game_group(public_id))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        visible = _visibility(text_data or "")
        # The word that somebody logged out may be lost; the page speaks again soon.
        if visible is None or self._speaks_too_often() or not await socket_limits.is_still_there(self.scope):
            await self.close(code=1008)
        else:
            await self._note(visible)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        await self._note(False)

    def _speaks_too_often(self) -> bool:
        now = time.monotonic()
        too_often = len(self.frames) == MOST_FRAMES and now - self.frames[0] < FRAME_SECONDS
        self.frames.append(now)
        return too_often

    async def _note(self, visible: bool) -> None:
        """Note that the reader has the game before the eyes, or has not any more; nobody else learns it."""
        user = self.scope["user"]
        if visible and user.is_authenticated and not user.is_guest:
            self.was_seen = True
            await database_sync_to_async(page_presence.mark_visible)(user.pk, self.game_id, self.channel_name)
        elif not visible and self.was_seen:
            await database_sync_to_async(page_presence.mark_hidden)(self.channel_name)


def _visibility(text: str) -> bool | None:
    """What a page says of itself in `{"visible": …}`; None when it says anything else."""
    try:
        said = json.loads(text) if len(text) <= LONGEST_FRAME else None
    except ValueError:
        return None
    if not isinstance(said, dict) or list(said) != ["visible"] or not isinstance(said["visible"], bool):
        return None
    return said["visible"]


class LobbyConsumer(TickConsumer):
    """Ticks of what the lists for everybody show."""

    async def connect(self) -> None:
        await self.follow(ticks.LOBBY)


class UserConsumer(TickConsumer):
    """Ticks of all games of the user who is logged in."""

    async def connect(self) -> None:
        await self.follow()
