"""People with mailboxes, a clock that can be set, and a web server that counts as public."""

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from accounts.models import User
from games.models import Game, Kind, Notification
from games.web.notifications import public_http
from tests.notifications.https_server import NAME, Server, certificate_for
from tests.support.games import NewGame
from tests.support.mailboxes import with_mailbox

# A Friday, at noon in London and at one in Berlin.
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands at noon until the test moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def alice(alice: User) -> User:
    return with_mailbox(alice)


@pytest.fixture
def bob(bob: User) -> User:
    return with_mailbox(bob)


@pytest.fixture
def asked(clock: time_machine.Traveller, start: NewGame, alice: User, bob: User) -> tuple[Game, User, User]:
    """A game of alice and bob that began at noon, the player to decide, and the other one."""
    game = start(alice, bob)
    decider = alice if game.waiting_for_id == alice.pk else bob
    return game, decider, bob if decider == alice else alice


def rows(user: User | None = None, kind: Kind | None = None, **columns: object) -> list[Notification]:
    """Rows of the outbox, oldest first."""
    found = Notification.objects.filter(**columns).order_by("pk")
    if user is not None:
        found = found.filter(user=user)
    if kind is not None:
        found = found.filter(kind=kind)
    return list(found)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def behind(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Resolve every host name to these addresses."""

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(public_http.socket, "getaddrinfo", getaddrinfo)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on this machine that counts as public and proves to be hooks.example."""
    certificate = certificate_for(NAME, tmp_path)
    server = Server(certificate)
    behind(monkeypatch, "127.0.0.1")
    monkeypatch.setattr(public_http, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(public_http, "tls", lambda: ssl.create_default_context(cafile=str(certificate)))
    yield server
    server.close()
