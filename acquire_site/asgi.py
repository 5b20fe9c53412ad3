"""The site as an ASGI application: pages over HTTP, ticks over the WebSocket."""

import os
import warnings

from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
# WhiteNoise sends files by plain iterators: slower by a hair, and no news to whoever reads the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
http = get_asgi_application()

# Only now are the apps loaded, so that consumers may import models.
from games.routing import websocket_urlpatterns  # noqa: E402


class Nowhere(AsyncWebsocketConsumer):
    """Closes a socket to an address where there is none; without it every knock is an error in the log."""

    async def connect(self) -> None:
        await self.close()


sockets = URLRouter([*websocket_urlpatterns, re_path("", Nowhere.as_asgi())])
application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(sockets)),
    }
)
