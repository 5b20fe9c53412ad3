"""Visitors that open sockets as none of our pages would."""

import re
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.support.played_site import PlayedSite

PASSWORD = "a long enough secret"

PATIENCE = 20

MAKE = f"""
from accounts.models import User
from games.lobby.game_start import start_game
names = ("ann", "ben", "cat", "dan", "eve")
people = [User.objects.create_user(name, password={PASSWORD!r}) for name in names]
game = start_game(system="acquire", preset="avalon-hill", host=people[0], players=people[:2])
print(game.public_id)
"""


class Visitor:
    """A browser with cookies, and the sockets that it opens."""

    def __init__(self, site: PlayedSite, name: str = "") -> None:
        self.site, self.cookies = site, HTTPCookieProcessor()
        self._opener: OpenerDirector = build_opener(self.cookies)
        if name:
            self.post("/accounts/login/", login=name, password=PASSWORD)
            assert "sessionid" in self._cookie()

    def post(self, path: str, **form: str) -> None:
        page = self._opener.open(f"{self.site.url}{path}", timeout=PATIENCE).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        body = urlencode({"csrfmiddlewaretoken": token[1], **form}).encode()
        self._opener.open(f"{self.site.url}{path}", body, timeout=PATIENCE).read()

    def open(self, path: str, origin: str | None = "") -> ClientConnection:
        """Open a socket with the site's origin, or another; with None it sends none."""
        address = self.site.url.replace("http", "ws", 1) + path
        origin = self.site.url if origin == "" else origin
        headers = {"Cookie": self._cookie()} if self._cookie() else {}
        return connect(
            address,
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
            open_timeout=PATIENCE,
            proxy=None,
        )

    def is_refused(self, path: str, origin: str | None = "") -> bool:
        try:
            with self.open(path, origin):
                return False
        except InvalidStatus as error:
            assert error.response.status_code == 403
            return True

    def _cookie(self) -> str:
        return "; ".join(f"{one.name}={one.value}" for one in self.cookies.cookiejar)
