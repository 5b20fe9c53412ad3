"""The site posts to public addresses only."""

import contextlib
import socket
import threading
import time

import pytest

from games.web.notifications import public_http
from games.web.notifications.public_http import ForbiddenAddress
from tests.notifications.conftest import behind
from tests.notifications.https_server import NAME, Server


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "0.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.2.1", "198.18.0.1", "203.0.113.9"),
        *("224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:10.0.0.1", "::127.0.0.1"),
        *("64:ff9b::7f00:1", "64:ff9b::808:808", "2002:7f00:1::", "2002:808:808::1", "2001:0:808:808::1"),
    ],
)
def test_private_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not public_http.is_public(address)
    behind(monkeypatch, address)
    with pytest.raises(ForbiddenAddress):
        public_http.check(f"https://{NAME}/")


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])
def test_public_address_is_allowed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(monkeypatch, address)
    public_http.check(f"https://{NAME}/path?query")


def test_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    behind(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(ForbiddenAddress):
        public_http.check(f"https://{NAME}/")


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://hooks.example/",
            "ftp://hooks.example/",
            "//hooks.example/",
            "hooks.example",
            "https://",
            "",
        ),
        *("https:///path", "https://user@hooks.example/", "https://user:word@hooks.example/"),
        *("https://hooks.example:0/", "https://hooks.example:99999/", "https://hooks.example:x/"),
        *("https://hooks.example/\r\nX: y", "https://hooks.example/a b", "https://hööks.example/"),
        *("https://[::1", "javascript:alert(1)", f"https://hooks.example/{'x' * 1000}"),
    ],
)
def test_url_that_is_not_plain_https_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(monkeypatch, "8.8.8.8")
    with pytest.raises(ForbiddenAddress):
        public_http.check(url)


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_every_notation_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises((ForbiddenAddress, OSError)):
        public_http.post(f"https://{host}/", b"", {})


def test_endless_name_lookup_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(public_http, "DNS_TIMEOUT", 0.1)
    monkeypatch.setattr(public_http.socket, "getaddrinfo", lambda *_, **__: done.wait(10))
    with pytest.raises(OSError):
        public_http.check(f"https://{NAME}/")
    done.set()


# -- Against a server of our own ---------------------------------------------------------------------


def test_post_arrives_and_returns_the_status(server: Server) -> None:
    status = public_http.post(
        f"https://{NAME}:{server.port}/in?a=1", b"{}", {"Content-Type": "application/json"}
    )
    assert status == 204
    head, body = server.requests[0].split(b"\r\n\r\n")
    assert head.startswith(b"POST /in?a=1 HTTP/1.1\r\n")
    assert f"Host: {NAME}:{server.port}".encode() in head
    assert body == b"{}"


def test_connection_goes_to_the_address_that_was_checked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is looked up only once: a second lookup could give another address."""
    asked = []

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        # The socket module resolves the address itself; only the name may not be looked up twice.
        meant = "127.0.0.1" if host == "127.0.0.1" or asked.count(NAME) == 1 else "127.0.0.99"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (meant, port))]

    monkeypatch.setattr(public_http.socket, "getaddrinfo", getaddrinfo)
    assert public_http.post(f"https://{NAME}:{server.port}/", b"", {}) == 204
    assert asked.count(NAME) == 1


def test_address_that_turned_private_is_not_called(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_http, "is_public", lambda address: False)
    with pytest.raises(public_http.ForbiddenAddress):
        public_http.post(f"https://{NAME}:{server.port}/", b"", {})
    assert server.requests == []


def test_certificate_must_match_the_name(server: Server) -> None:
    with pytest.raises(OSError, match="certificate"):
        public_http.post(f"https://other.example:{server.port}/", b"", {})
    assert server.requests == []


def test_redirect_is_returned_and_not_followed(server: Server) -> None:
    target = f"https://{NAME}:{server.port}/elsewhere".encode()
    server.answer = lambda sock: sock.sendall(b"HTTP/1.1 302 Found\r\nLocation: " + target + b"\r\n\r\n")
    assert public_http.post(f"https://{NAME}:{server.port}/", b"", {}) == 302
    assert len(server.requests) == 1


def test_silent_server_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_http, "TIMEOUT", 0.3)
    server.answer = lambda sock: time.sleep(1)
    with pytest.raises(OSError):
        public_http.post(f"https://{NAME}:{server.port}/", b"", {})


def test_slow_answer_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_http, "TIMEOUT", 0.5)

    def drip(sock: socket.socket) -> None:
        for letter in b"HTTP/1.1 200 but only after a long time":
            sock.sendall(bytes([letter]))
            time.sleep(0.1)

    server.answer = drip
    began = time.monotonic()
    with pytest.raises(OSError):
        public_http.post(f"https://{NAME}:{server.port}/", b"", {})
    assert time.monotonic() - began < 2


def test_slow_handshake_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, but all of them take too long."""
    monkeypatch.setattr(public_http, "TIMEOUT", 1.0)
    monkeypatch.setattr(public_http, "is_public", lambda address: True)
    behind(monkeypatch, "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as slow:

        def drip() -> None:
            sock, _ = slow.accept()
            with sock, contextlib.suppress(OSError):
                # The head of a long TLS record, and then its bytes one by one.
                sock.sendall(b"\x16\x03\x03\x3f\x00\x02\x00\x3e\xfc")
                for _ in range(40):
                    time.sleep(0.1)
                    sock.sendall(b"\0")

        threading.Thread(target=drip, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(OSError):
            public_http.post(f"https://{NAME}:{slow.getsockname()[1]}/", b"", {})
        assert time.monotonic() - began < 2


@pytest.mark.parametrize("said", [b"", b"220 mail.example ESMTP\r\n", b"\x00" * 5000])
def test_answer_without_http_is_a_failure(server: Server, said: bytes) -> None:
    server.answer = lambda sock: sock.sendall(said)
    with pytest.raises(OSError):
        public_http.post(f"https://{NAME}:{server.port}/", b"", {})


def test_refused_connection_is_a_failure(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(OSError):
        public_http.post(f"https://{NAME}:{port}/", b"", {})
