"""Which pages may open a socket: scheme, host and port count."""

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from acquire_site import socket_origins
from acquire_site.socket_origins import is_allowed, refuse_other_origins


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["acquire.example", ".club.example", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example", "https://*.trusted.example:8443"]


def scope(origin: str | None, host: str = "acquire.example", scheme: str = "wss") -> dict[str, Any]:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    return {"type": "websocket", "scheme": scheme, "headers": headers}


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("https://acquire.example", "acquire.example", "wss"),
        ("https://acquire.example:443", "acquire.example", "wss"),
        ("https://acquire.example", "acquire.example:443", "wss"),
        ("https://ACQUIRE.example", "acquire.example", "wss"),
        ("https://acquire.example:8443", "acquire.example:8443", "wss"),
        ("http://acquire.example:8000", "acquire.example:8000", "ws"),
        ("https://chess.club.example", "chess.club.example", "wss"),
        ("http://[::1]:8000", "[::1]:8000", "ws"),
        ("https://play.example", "acquire.example", "wss"),
        ("https://play.example", "10.0.0.2:8000", "ws"),
        ("https://a.trusted.example:8443", "acquire.example", "wss"),
    ],
)
def test_pages_of_the_site_open_sockets(origin: str, host: str, scheme: str) -> None:
    assert is_allowed(scope(origin, host, scheme))


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://acquire.example", "acquire.example", "wss"),
        ("https://acquire.example", "acquire.example", "ws"),
        ("https://acquire.example:8443", "acquire.example", "wss"),
        ("https://acquire.example", "acquire.example:8443", "wss"),
        ("http://acquire.example:8001", "acquire.example:8000", "ws"),
        ("http://play.example", "acquire.example", "wss"),
        ("https://play.example:8443", "acquire.example", "wss"),
        ("https://a.trusted.example", "acquire.example", "wss"),
        ("https://trusted.example.evil.example:8443", "acquire.example", "wss"),
        ("https://evil.example", "acquire.example", "wss"),
        ("https://evil.example", "evil.example", "wss"),
        ("https://chess.club.example", "poker.club.example", "wss"),
        ("https://acquire.example/", "acquire.example", "wss"),
        ("https://acquire.example@evil.example", "acquire.example", "wss"),
        ("https://acquire.example:99999", "acquire.example", "wss"),
        ("https://[acquire.example", "acquire.example", "wss"),
        ("wss://acquire.example", "acquire.example", "wss"),
        ("acquire.example", "acquire.example", "wss"),
        ("null", "acquire.example", "wss"),
        ("", "acquire.example", "wss"),
        (None, "acquire.example", "wss"),
    ],
)
def test_pages_of_other_places_open_none(origin: str | None, host: str, scheme: str) -> None:
    assert not is_allowed(scope(origin, host, scheme))


def test_two_origins_are_none() -> None:
    twice = scope("https://acquire.example")
    twice["headers"].append((b"origin", b"https://acquire.example"))
    assert not is_allowed(twice)


async def accept(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})


def answer(origin: str) -> str:
    async def connect() -> str:
        page = ApplicationCommunicator(refuse_other_origins(accept), scope(origin))
        await page.send_input({"type": "websocket.connect"})
        return str((await page.receive_output(timeout=5))["type"])

    return asyncio.run(connect())


# Refusing a socket closes old database connections, which pytest-django allows only with this mark.
@pytest.mark.django_db
def test_a_socket_of_another_site_is_closed_before_it_opens() -> None:
    assert answer("https://acquire.example") == "websocket.accept"
    assert answer("http://acquire.example") == "websocket.close"


def test_a_check_of_nothing_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: every origin is allowed."""
    monkeypatch.setattr(socket_origins, "is_allowed", lambda scope: True)
    assert answer("http://acquire.example") == "websocket.accept"
