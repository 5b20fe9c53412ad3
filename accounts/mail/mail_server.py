"""The mail server, as all outboxes see it.

When it does not answer, all processes leave it alone for ten seconds, later for as long as it has been away,
up to a minute. No attempt is counted: only an answer to a mail, or a connection lost after the mail was
begun, counts as one.
"""

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from smtplib import (
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from typing import Any

from django.core.cache import cache
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.utils import timezone

logger = logging.getLogger(__name__)

# The first and the longest time for which a server that does not answer is left alone.
FIRST_REST_SECONDS, LONGEST_REST_SECONDS = 10.0, 60.0

# Cache keys: one holds until when the server is left alone; the other when it first and last failed to
# answer.
LEFT_ALONE = "mail-server-away"
AWAY_SINCE = "mail-server-away-since"
_REMEMBERED_SECONDS = 7 * 86400

# After this time without an attempt nobody knows whether the server is still away.
STILL_AWAY = timedelta(minutes=10)

# The code by which many servers say more precisely why they refuse, such as 5.1.1 (RFC 3463).
_EXTENDED_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")

# Codes for a sender that may not use the server, whoever the recipient is: RFC 3463 keeps 5.7 for them.
_SENDER_REFUSED = re.compile(r"\b5\.7\.\d{1,3}\b|\brelay|\bauthenticat", re.IGNORECASE)

# "I am closing": an answer about the server, not about a mail.
_CLOSING = 421


class MailServerUnavailable(Exception):
    """The mail server does not answer, or breaks off while it takes a mail."""


def is_left_alone() -> bool:
    """Return whether the server did not answer lately, so that no process tries it yet."""
    return bool(cache.get(LEFT_ALONE))


def away_since(now: datetime) -> datetime | None:
    """Return since when the server has not taken mail; None if it does, or if nobody has tried lately."""
    since, last = cache.get(AWAY_SINCE) or (None, None)
    return since if last is not None and last > now - STILL_AWAY else None


def leave_alone(error: Exception) -> None:
    """Leave the server alone for a while, in all processes: shortly after a restart it may be back."""
    now = timezone.now()
    away_seconds = (now - note_trouble(error)).total_seconds()
    rest = min(max(away_seconds, FIRST_REST_SECONDS), LONGEST_REST_SECONDS)
    cache.set(LEFT_ALONE, now + timedelta(seconds=rest), rest)


def note_trouble(error: Exception) -> datetime:
    """Log that the server does not take mail; remember since when, and return it."""
    logger.warning("The mail server does not answer: %s", error)
    now = timezone.now()
    since = away_since(now) or now
    cache.set(AWAY_SINCE, (since, now), _REMEMBERED_SECONDS)
    return since


def note_answer() -> None:
    """Forget that the server was away: it has taken or refused a mail."""
    if cache.get(AWAY_SINCE):
        cache.delete(AWAY_SINCE)


@contextmanager
def connection() -> Iterator[Any]:
    """A connection for the mails of one round, which opens with the first."""
    server = get_connection()
    try:
        yield server
    finally:
        server.close()


def connect(server: Any) -> None:
    """Connect, once for all mails of a round; raises MailServerUnavailable."""
    if isinstance(server, FileBackend):
        return  # Its open() makes a file, even for no mail.
    try:
        server.open()
    except (SMTPException, OSError) as error:
        raise MailServerUnavailable(reason(error)) from error


def hand_over(message: EmailMessage, server: Any) -> None:
    """Hand a mail over to the server; raises MailServerUnavailable if it is the server that fails."""
    try:
        server.send_messages([message])
    except (SMTPException, OSError) as error:
        if is_away(error):
            raise MailServerUnavailable(reason(error)) from error
        raise


def is_away(error: Exception) -> bool:
    """Return whether the error says that the server is unavailable, not that it refused the mail."""
    if isinstance(error, SMTPRecipientsRefused):
        return refusal(error)[0] == _CLOSING
    if isinstance(error, SMTPSenderRefused):
        return error.smtp_code == _CLOSING
    return not isinstance(error, SMTPException)


def is_broken_off(error: Exception) -> bool:
    """Return whether the server broke off in a mail: the next would fail too, but this may be the cause."""
    return isinstance(error, SMTPServerDisconnected)


def refusal(error: SMTPRecipientsRefused) -> tuple[int, str]:
    """The server's answer about the only recipient: its code, and all of it."""
    code, text = next(iter(error.recipients.values()))
    return code, f"{code} {_plain(text)}"


def is_final(refusal: tuple[int, str]) -> bool:
    """Return whether the recipient is refused for good.

    A server that does not relay for the site refuses everybody. That ends when somebody mends the settings,
    so it must not cost members their addresses.
    """
    code, answer = refusal
    return 500 <= code < 600 and not _SENDER_REFUSED.search(answer)


def reason(error: Exception) -> str:
    """The error in words, for operators."""
    if isinstance(error, SMTPResponseException):
        return f"{error.smtp_code} {_plain(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"


def brief(error: BaseException) -> str:
    """The error without words of the server, which may repeat an address, or a link out of the mail."""
    if isinstance(error, SMTPRecipientsRefused):
        return _codes(*next(iter(error.recipients.values())))
    if isinstance(error, SMTPResponseException):
        return _codes(error.smtp_code, error.smtp_error)
    if isinstance(error, OSError) and error.errno is not None:
        return f"{type(error).__name__}: {os.strerror(error.errno)}"
    return type(error).__name__


def _codes(code: int, text: bytes | str) -> str:
    extended = _EXTENDED_CODE.match(_plain(text))
    return f"{code} {extended[0]}" if extended else str(code)


def _plain(text: bytes | str) -> str:
    plain = text.decode(errors="replace") if isinstance(text, bytes) else text
    return " ".join(plain.split())
