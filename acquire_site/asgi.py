"""The ASGI application: pages over HTTP, ticks over WebSockets."""

import os
import re
import warnings
from typing import Any

import django
from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path

from acquire_site.process_start import load_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
load_settings()
# WhiteNoise serves files from synchronous iterators; the loss of speed is negligible.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)

# The apps must be loaded before consumers can import models.
from django.conf import settings  # noqa: E402

from acquire_site import gentle_server  # noqa: E402
from acquire_site.asgi_handler import Handler  # noqa: E402
from acquire_site.socket_origins import refuse_other_origins  # noqa: E402
from acquire_site.trusted_proxies import TrustedProxies  # noqa: E402
from acquire_site.warm_up import warm_up  # noqa: E402
from acquire_site.web_sign import show_life  # noqa: E402
from games.web.realtime.websocket_urls import websocket_urlpatterns  # noqa: E402


class UnknownSocket(AsyncWebsocketConsumer):
    """Closes WebSockets to unknown addresses, which would otherwise be logged as errors."""

    async def connect(self) -> None:
        await self.close()


def without_encoding(application: Any) -> Any:
    """Remove the charset from the content type, so that all forms are read as UTF-8.

    Django decodes the query string with this charset while it makes the request, and some codecs raise errors
    there that nothing catches.
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
            "websocket": refuse_other_origins(AuthMiddlewareStack(sockets)),
            "lifespan": show_life,
        }
    ),
    settings.TRUSTED_PROXIES,
)

gentle_server.mend()
warm_up()
