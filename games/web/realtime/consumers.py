"""WebSocket consumers, which send ticks to open pages.

The page of a game reports in turn whether it is visible, so that no mail is sent to a member who sees it.
While its socket is open, the member counts as being at the table. A hidden page counts too: it may be unable
to report anything.
"""

import json
import time
from collections import deque
from contextlib import suppress
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.utils import timezone

from games.clocks import site_presence
from games.models import Game
from games.play import page_presence
from games.realtime import socket_limits, tick_relay, ticks
from games.showcase.live_games import ids_on_page
from games.web.realtime import open_pages

# Real pages report only when they are shown or hidden, and at long intervals.
MAX_FRAMES = 10
FRAME_SECONDS = 10.0

MAX_FRAME_LENGTH = 40

# A page of live games looks up which games it shows, no more often than this.
LOOK_SECONDS = 5.0

# The codes of sockets that were cut; a page that is left closes its socket with another.
_CUT = (1005, 1006)
# The code of sockets whose web process ends, such as in an upgrade.
_RESTART = 1012


class TickConsumer(AsyncJsonWebsocketConsumer):
    """A socket with the ticks of some groups, always including the reader's own games for the page header.

    Pages have nothing to send here: any frame closes the socket.
    """

    channel_layer_alias = tick_relay.PAGES
    latest = ""
    holder = ""

    async def follow(self, *groups: str) -> None:
        """Accept the socket and send the ticks of these groups and of the reader.

        Refuse if there are no groups, or if the reader has too many sockets.
        """
        user = self.scope["user"]
        own = [ticks.user_group(user.pk)] if user.is_authenticated else []
        # Channels leaves the groups listed here when the socket closes.
        self.groups = [*groups, *own]
        self.holder = await socket_limits.take(self.scope, self.channel_name) if self.groups else ""
        if not self.holder:
            await self.close()
            return
        await tick_relay.start()
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def receive(self, *args: Any, **kwargs: Any) -> None:
        await self.close(code=1008)

    async def disconnect(self, code: int) -> None:
        holder, self.holder = self.holder, ""
        await socket_limits.give_back(holder, self.channel_name)

    async def recheck_login(self, message: dict[str, Any]) -> None:
        """Close the socket unless the reader is still logged in."""
        if not await socket_limits.is_still_there(self.scope):
            await self.close(code=1008)

    async def tick(self, message: dict[str, Any]) -> None:
        # A tick goes to several groups, and a page may be in more than one.
        if message["mark"] == self.latest:
            return
        self.latest = message["mark"]
        # A page that is gone cannot be told; its disconnect follows and must still be handled.
        with suppress(OSError):
            await self.send_json({"game": message["game"], "version": message["version"]})


class GameConsumer(TickConsumer):
    """A socket with the ticks of one game, which also records while a member sees its page."""

    game_id: int | None = None
    is_noted = False
    is_visible = False

    async def connect(self) -> None:
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        shown = Game.objects.shown_to(self.scope["user"]).filter(public_id=public_id)
        found = shown.values_list("pk", flat=True)
        self.game_id = await database_sync_to_async(found.first)()
        self.frames: deque[float] = deque(maxlen=MAX_FRAMES)
        if self.game_id is None:
            await self.close()
        else:
            await self.follow(ticks.game_group(public_id))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        visible = _visibility(text_data or "")
        # The message about a log-out may be lost, so the login is checked again here.
        if visible is None or self._speaks_too_often() or not await socket_limits.is_still_there(self.scope):
            await self.close(code=1008)
        else:
            await self._note(visible)

    async def __call__(self, *args: Any) -> None:
        try:
            await super().__call__(*args)
        finally:
            # An error ends a consumer without a disconnect.
            if self.is_noted:
                open_pages.release(self.channel_name)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.is_noted and code == _RESTART:
            # The page comes back, a hidden one perhaps late.
            await database_sync_to_async(site_presence.begin_anew)()
        elif self.is_noted:
            open_pages.release(self.channel_name)
            # A hidden page gives no signs of its own, so its socket counts until its end is noticed.
            last_sign = self.last_sign if self.is_visible and code in _CUT else None
            await database_sync_to_async(page_presence.mark_closed)(self.channel_name, last_sign)

    def _speaks_too_often(self) -> bool:
        now = time.monotonic()
        too_often = len(self.frames) == MAX_FRAMES and now - self.frames[0] < FRAME_SECONDS
        self.frames.append(now)
        return too_often

    async def _note(self, visible: bool) -> None:
        """Record that a member has the page open, and whether the member sees it."""
        user = self.scope["user"]
        if not user.is_authenticated or user.is_guest:
            return
        page = (user.pk, self.game_id, self.channel_name)
        self.is_visible, self.last_sign = visible, timezone.now()
        if visible:
            await database_sync_to_async(page_presence.mark_visible)(*page)
        elif self.is_noted:
            await database_sync_to_async(page_presence.mark_hidden)(self.channel_name)
        else:
            await database_sync_to_async(page_presence.mark_open)(*page)
        self.is_noted = True
        open_pages.hold(self.channel_name)


def _visibility(text: str) -> bool | None:
    """Return the boolean of `{"visible": …}`, or None for any other text."""
    try:
        said = json.loads(text) if len(text) <= MAX_FRAME_LENGTH else None
    except ValueError:
        return None
    if not isinstance(said, dict) or list(said) != ["visible"] or not isinstance(said["visible"], bool):
        return None
    return said["visible"]


class LobbyConsumer(TickConsumer):
    """A socket with the ticks of the public lists."""

    async def connect(self) -> None:
        await self.follow(ticks.LOBBY)


class LiveGamesConsumer(TickConsumer):
    """A socket with the ticks of the public lists and of the games on a page of live games.

    Games end and others take their places, so after a tick it looks up which games these are.
    """

    page = 1
    looked_at = 0.0
    shown: frozenset[str] = frozenset()

    async def connect(self) -> None:
        self.page = self.scope["url_route"]["kwargs"]["page"]
        self.shown = await self._games()
        await self.follow(ticks.LOBBY, *self.shown)

    async def tick(self, message: dict[str, Any]) -> None:
        await super().tick(message)
        if time.monotonic() - self.looked_at > LOOK_SECONDS:
            await self._follow_others()

    async def _games(self) -> frozenset[str]:
        self.looked_at = time.monotonic()
        found = await database_sync_to_async(ids_on_page)(self.page)
        return frozenset(map(ticks.game_group, found))

    async def _follow_others(self) -> None:
        before, self.shown = self.shown, await self._games()
        for group in before - self.shown:
            await self.channel_layer.group_discard(group, self.channel_name)
        for group in self.shown - before:
            await self.channel_layer.group_add(group, self.channel_name)
        self.groups = [*(group for group in self.groups if group not in before), *self.shown]


class UserConsumer(TickConsumer):
    """A socket with the ticks of the reader's own games."""

    async def connect(self) -> None:
        await self.follow()
