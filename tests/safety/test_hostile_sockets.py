"""Sockets and bytes that no page of ours would send, from a real client to a real server."""

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.support.played_site import PlayedSite, play
from tests.support.socket_visitor import MAKE, PASSWORD, PATIENCE, Visitor

# Time limit within which the server must close a socket.
LONGEST_OPEN = 20.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with play(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="module")
def game(site: PlayedSite) -> str:
    """The public id of a game that ann and ben play."""
    return site.shell(MAKE).split()[-1]


@pytest.fixture
def stranger(site: PlayedSite) -> Visitor:
    return Visitor(site)


def closed_after(page: ClientConnection) -> tuple[int, float]:
    """Return the code with which the server closes the socket, and the seconds it took."""
    begun = time.monotonic()
    with pytest.raises(ConnectionClosed) as closed:
        while time.monotonic() - begun < LONGEST_OPEN:
            page.recv(timeout=LONGEST_OPEN)
    received = closed.value.rcvd
    return received.code if received else 1006, time.monotonic() - begun


# -- Opening ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "https://evil.example",
        "http://localhost.evil.example",
        "http://evil.example/localhost",
        "file://",
        "localhost",
        "http://127.0.0.2",
        "http://localhost",
        "http://localhost:1",
        "https://localhost",
    ],
)
def test_pages_of_other_sites_open_no_socket(
    site: PlayedSite, game: str, stranger: Visitor, origin: str | None
) -> None:
    for path in (f"/ws/games/{game}/", "/ws/lobby/", "/ws/me/"):
        assert stranger.is_refused(path, origin)


def test_stranger_hears_of_public_games_and_of_no_user(
    site: PlayedSite, game: str, stranger: Visitor
) -> None:
    assert not stranger.is_refused("/ws/lobby/")
    assert not stranger.is_refused(f"/ws/games/{game}/")
    for path in ("/ws/me/", "/ws/games/nowhere/", "/ws/nowhere/", "/ws/games/%00/", "/ws/games/../me/"):
        assert stranger.is_refused(path)


def test_forged_session_counts_as_a_stranger(site: PlayedSite, stranger: Visitor) -> None:
    address = site.url.replace("http", "ws", 1) + "/ws/me/"
    for cookie in ("sessionid=x", 'sessionid="\\000"', "sessionid=" + "a" * 4000, "=;;=", "sessionid=\xe9"):
        with pytest.raises(InvalidStatus):
            connect(
                address,
                origin=Origin(site.url),
                additional_headers={"Cookie": cookie},
                open_timeout=PATIENCE,
                proxy=None,
            )


# -- Number and duration ---------------------------------------------------------------------------


def test_sixth_socket_of_a_member_is_refused_until_another_closes(site: PlayedSite, game: str) -> None:
    member = Visitor(site, "cat")
    with ExitStack() as pages:
        opened = [pages.enter_context(member.open("/ws/me/")) for _ in range(5)]
        assert member.is_refused("/ws/me/")
        assert member.is_refused(f"/ws/games/{game}/")
        opened[0].close()
        assert within_patience(lambda: not member.is_refused("/ws/me/"))


def test_strangers_of_one_address_have_twenty_sockets(site: PlayedSite, stranger: Visitor) -> None:
    with ExitStack() as pages:
        for _ in range(20):
            pages.enter_context(stranger.open("/ws/lobby/"))
        assert stranger.is_refused("/ws/lobby/")
        with Visitor(site, "ben").open("/ws/lobby/"):
            pass  # members are counted by account
    assert within_patience(lambda: not stranger.is_refused("/ws/lobby/"))


def within_patience(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def test_log_out_closes_the_sockets_of_that_browser_only(site: PlayedSite, game: str) -> None:
    here, elsewhere = Visitor(site, "ann"), Visitor(site, "ann")
    with (
        here.open("/ws/me/") as mine,
        here.open(f"/ws/games/{game}/") as table,
        elsewhere.open("/ws/me/") as other,
    ):
        here.post("/accounts/logout/")
        for page in (mine, table):
            code, seconds = closed_after(page)
            assert (code, seconds < 2) == (1008, True)
        with pytest.raises(TimeoutError):
            other.recv(timeout=1)


def test_banned_member_loses_all_sockets(site: PlayedSite, game: str) -> None:
    member = Visitor(site, "dan")
    shut_out = "from accounts.models import User; User.objects.filter(username='dan').update(is_active=False)"
    with member.open("/ws/me/") as mine, member.open(f"/ws/games/{game}/") as table:
        # Nobody tells the sockets: they ask who the user is when the page speaks.
        site.shell(shut_out)
        table.send('{"visible": true}')
        assert closed_after(table)[0] == 1008
        mine.close()
    assert member.is_refused("/ws/me/")


def test_new_password_closes_the_sockets_of_other_browsers(site: PlayedSite) -> None:
    here, elsewhere = Visitor(site, "eve"), Visitor(site, "eve")
    new = "another long secret"
    with elsewhere.open("/ws/me/") as other:
        here.post("/accounts/password/change/", oldpassword=PASSWORD, password1=new, password2=new)
        code, seconds = closed_after(other)
        assert (code, seconds < 2) == (1008, True)


# -- Frames ----------------------------------------------------------------------------------------

FRAMES = {
    "nothing": "",
    "words": "hello",
    "a list": "[]",
    "another word": '{"hidden": true}',
    "two words": '{"visible": true, "x": 1}',
    "a number": '{"visible": 1}',
    "deep": "[" * 30,
    "long": '{"visible":' + " " * 60 + "true}",
    "half a letter": '{"visible": "\\ud800"}',
    "bytes": b"\x00\xff",
    "bytes that speak": b'{"visible": true}',
    "oversize": "a" * 1025,
    "oversize bytes": b"a" * 100_000,
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_unknown_frame_closes_the_socket(
    site: PlayedSite, game: str, stranger: Visitor, frame: str | bytes
) -> None:
    for path in (f"/ws/games/{game}/", "/ws/lobby/"):
        with stranger.open(path) as page:
            page.send(frame)
            assert closed_after(page)[0] in (1008, 1009)


def test_eleventh_frame_in_ten_seconds_closes_the_socket(
    site: PlayedSite, game: str, stranger: Visitor
) -> None:
    with stranger.open(f"/ws/games/{game}/") as page:
        for _ in range(10):
            page.send('{"visible": true}')
        with pytest.raises(TimeoutError):
            page.recv(timeout=0.5)
        page.send('{"visible": true}')
        assert closed_after(page)[0] == 1008


def test_frames_that_break_the_protocol_close_the_socket(site: PlayedSite, stranger: Visitor) -> None:
    for broken in (b"\x00" * 40, b"\xff" * 40, b"\xc1\x00" * 20, b"\x81\xff" + b"\xff" * 40, b"\x81\x02hi"):
        with stranger.open("/ws/lobby/") as page:
            page.socket.sendall(broken)
            assert closed_after(page)[0] in (1002, 1006, 1007, 1008, 1009)


# -- Bytes that are no request ---------------------------------------------------------------------

FORM = "application/x-www-form-urlencoded"

RAW = [
    b"\0" * 200,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /?\xff=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: sessionid=\xff\xfe\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /play/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    *(
        f"POST /play/?a=%ff{'&a=1' * 150} HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: {FORM}; charset={charset}\r\nContent-Length: 3\r\n\r\na=1".encode("latin-1")
        for charset in ("idna", "punycode", "utf-16", "nonsense", "base64", "\xff", "")
    ),
]


@pytest.mark.parametrize("sent", RAW, ids=lambda sent: repr(sent[:60]))
def test_malformed_requests_are_refused(site: PlayedSite, sent: bytes) -> None:
    where = urlsplit(site.url)
    with socket.create_connection(("127.0.0.1", where.port or 80), timeout=PATIENCE) as line:
        # The connection stays open: a server that sees it half closed gives up and hides its error.
        line.sendall(sent)
        answer = line.recv(100)
    assert re.match(rb"HTTP/1\.1 [234]\d\d", answer) or answer == b""


def test_site_answers_afterwards_and_its_log_shows_no_error(
    site: PlayedSite, game: str, stranger: Visitor
) -> None:
    with pytest.raises(HTTPError):
        stranger._opener.open(f"{site.url}/nowhere/", timeout=PATIENCE)
    with stranger.open("/ws/lobby/") as page:
        page.ping().wait(PATIENCE)
    # Refused requests are logged with the place that noticed them; their cause is no other error.
    told = re.sub(
        r"Traceback (?:(?!Traceback).)*?The above exception was the direct cause", "", site.log, flags=re.S
    )
    raised = set(re.findall(r"^([\w.]+(?:Error|Exception|Sent|Host|Big|Request))\b:", told, re.M))
    assert {name for name in raised if not name.startswith("django.core.exceptions.")} == set()
    assert "Internal Server Error" not in site.log
