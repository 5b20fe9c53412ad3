"""A mail server for tests, which takes, refuses, delays or hangs as told."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from acquire_site.embedded_redis import free_port


class Sink:
    """Received mails, and the answers of the server.

    `to_recipient` and `to_mail` give the answer to an address and to a whole mail, None to take it.
    `on_mail` is called with a mail before it is answered.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.connections = 0
        self.to_recipient: Callable[[str], str | None] = lambda address: None
        self.to_mail: Callable[[EmailMessage], str | None] = lambda mail: None
        self.on_mail: Callable[[EmailMessage], None] = lambda mail: None

    @property
    def message_ids(self) -> list[str]:
        return [str(mail["Message-ID"]) for mail in self.mails]

    def mails_to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    # -- Called by aiosmtpd ----------------------------------------------------------------------------

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.to_recipient(address)
        if answer is None:
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        answer = self.to_mail(mail)
        if answer is None:
            self.mails.append(mail)
        self.on_mail(mail)
        return answer or "250 OK"


@contextlib.contextmanager
def serving(sink: Sink) -> Iterator[int]:
    """Run the server and yield its port."""
    controller = Controller(sink, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@contextlib.contextmanager
def hanging() -> Iterator[int]:
    """Run a server that takes connections and says nothing; yields its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        yield server.getsockname()[1]


def use_server(settings: Any, port: int) -> None:
    """Send the mails of a test to the server at this port."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_TIMEOUT = 10


@contextlib.contextmanager
def away(settings: Any, how: str) -> Iterator[None]:
    """A mail server that refuses connections, or takes them and says nothing."""
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(hanging()) if how == "hangs" else free_port()
        use_server(settings, port)
        settings.EMAIL_TIMEOUT = 0.5
        yield


def wait_until(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until the condition holds; AssertionError if it does not in time."""
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, "it did not come about in time"
        time.sleep(0.02)
