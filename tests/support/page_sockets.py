"""Sockets of pages, without a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.web.realtime.websocket_urls import websocket_urlpatterns


@asynccontextmanager
async def socket(
    path: str, user: User | AnonymousUser, *, end: int = 1001
) -> AsyncIterator[ApplicationCommunicator]:
    """A socket to the address, asking to be accepted; it ends with this code."""
    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "user": user}
    page = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)
    await page.send_input({"type": "websocket.connect"})
    try:
        yield page
    finally:
        await page.send_input({"type": "websocket.disconnect", "code": end})
        await page.wait()
