"""The site as an ASGI application: pages over HTTP, ticks over the WebSocket."""

import gc
import os
import re
import warnings
from typing import Any

import django
from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
# WhiteNoise sends files by plain iterators: slower by a hair, and no news to whoever reads the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)

# Only now are the apps loaded, so that consumers may import models.
from django.conf import settings  # noqa: E402

from acquire_site.asgi_handler import Handler  # noqa: E402
from acquire_site.trusted_proxies import TrustedProxies  # noqa: E402
from games.web.realtime.websocket_urls import websocket_urlpatterns  # noqa: E402


class UnknownSocket(AsyncWebsocketConsumer):
    """Closes a socket to an address where there is none; without it every knock is an error in the log."""

    async def connect(self) -> None:
        await self.close()


def without_encoding(application: Any) -> Any:
    """Take the encoding out of the content type: all forms are read as UTF-8.

    Django decodes the query by it while it makes the request, and some decoders fail in ways that nobody
    catches there.
    """

    async def wrapped(scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = [
            (
                name,
                re.sub(rb";\s*charset\*?=[^;]*", b"", text, flags=re.I) if name == b"content-type" else text,
            )
            for name, text in scope["headers"]
        ]
        await application({**scope, "headers": headers}, receive, send)

    return wrapped


sockets = URLRouter([*websocket_urlpatterns, re_path("", UnknownSocket.as_asgi())])
application = TrustedProxies(
    ProtocolTypeRouter(
        {
            "http": without_encoding(Handler()),
            "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(sockets)),
        }
    ),
    settings.TRUSTED_PROXIES,
)

# What is loaded by now stays: looking through all of it for garbage would hold every page up now and then.
gc.collect()
gc.freeze()
