"""Frames sent to the sockets of a viewer's pages, from connecting on."""

import json
from collections.abc import Sequence
from typing import Any
from unittest import mock

import channels.db
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from games.models import Game
from games.realtime import tick_relay
from games.web.realtime.websocket_urls import websocket_urlpatterns
from tests.safety.leaks.viewers import Viewer

# The last message for every page: everything queued before it has been passed on.
_END = {"type": "tick", "game": "the end", "version": 0, "mark": "the end"}

PATIENCE = 20

Ticks = Sequence[tuple[str, dict[str, Any]]]


def paths(game: Game) -> list[str]:
    """The addresses of all sockets, about this game where they name one."""
    filled = {"<slug:public_id>": game.public_id, "<int:page>": "1"}
    found = []
    for route in websocket_urlpatterns:
        path = f"/{route.pattern}"
        for gap, word in filled.items():
            path = path.replace(gap, word)
        assert "<" not in path, f"the harness cannot fill {path}"
        found.append(path)
    return found


def frames(game: Game, viewer: Viewer, ticks: Ticks) -> str:
    """Return all frames that this viewer's sockets get for these messages."""
    # All of this is one transaction, which no consumer may close.
    with mock.patch.object(channels.db, "close_old_connections", lambda: None):
        return "\n".join(async_to_sync(_frames)(paths(game), viewer, ticks))


async def _frames(paths: Sequence[str], viewer: Viewer, ticks: Ticks) -> list[str]:
    pages, caught, is_open = [], [], {}
    for path in paths:
        user = viewer.user or AnonymousUser()
        scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "user": user}
        page = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)
        await page.send_input({"type": "websocket.connect"})
        answer = await page.receive_output(PATIENCE)
        is_open[path] = answer["type"] == "websocket.accept"
        caught.append(f"{path} {_told(answer)}")
        pages.append((path, page))
    for _, message in ticks:
        await tick_relay.hand_on(message)
    layer = get_channel_layer(tick_relay.PAGES)
    for channel in {name for members in layer.groups.values() for name in members}:
        await layer.send(channel, _END)
    for path, page in pages:
        while is_open[path] and _END["game"] not in (told := _told(await page.receive_output(PATIENCE))):  # type: ignore[operator]
            caught.append(f"{path} {told}")
        await page.send_input({"type": "websocket.disconnect", "code": 1001})
        await page.wait(PATIENCE)
    return caught


def _told(frame: dict[str, Any]) -> str:
    return json.dumps(frame, default=repr)
