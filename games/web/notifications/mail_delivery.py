"""Hand mails over to the mail server.

When the mail server does not answer, all processes leave it alone for a minute, and no attempt is counted.
Only an answer to a mail, or a connection lost after the mail was begun, counts as an attempt.
"""

import logging
import time
from smtplib import (
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from typing import Any

from django.core.cache import cache
from django.core.mail import get_connection
from django.utils.translation import gettext as _

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from games.models import DeliveryAttempt
from games.notifications.outbox import settle
from games.notifications.outbox.claim import Claim, claim_letter
from games.notifications.outbox.settle import mark_failed, mark_refused
from games.web.notifications.mail_message import MailMessage, compose_mail, compose_test_mail

logger = logging.getLogger(__name__)

MAIL_SERVER_BACKOFF = 60
_AWAY = "mail-server-away"

# "I am closing": an answer about the server, not about a mail.
_CLOSING = 421


class MailServerUnavailable(Exception):
    """The mail server does not answer."""


def deliver_mail(seconds: float) -> int:
    """Send due mails, starting none after this many seconds; return how many were handed over."""
    if cache.get(_AWAY):
        return 0
    ends, sent = time.monotonic() + seconds, 0
    server = get_connection()
    try:
        while time.monotonic() < ends and (claim := claim_letter()):
            sent += _deliver(claim, server)
    except MailServerUnavailable as error:
        logger.warning("The mail server does not answer: %s", error)
        cache.set(_AWAY, True, MAIL_SERVER_BACKOFF)
    finally:
        server.close()
    return sent


def send_trial(user: User) -> str:
    """Send the user a test mail; return why it could not be handed over, or ""."""
    address = confirmed_addresses().filter(user=user).first()
    if address is None:
        return _("There is no confirmed address to send it to.")
    written = compose_test_mail(user, address.email)
    try:
        _hand_over(written, get_connection())
    except SMTPRecipientsRefused as error:
        code, why = _refusal(error)
        if _is_final(code):
            settle.stop_mail(address.email, why)
        problem = why
    except (SMTPException, OSError) as error:
        problem = _reason(error)
    else:
        problem = ""
    outcome = DeliveryAttempt.Outcome.FAILED if problem else DeliveryAttempt.Outcome.HANDED_OVER
    settle.note_trial(user, written.subject, outcome, problem, address=address.email)
    return problem


def _deliver(claim: Claim, server: Any) -> bool:
    """Compose and send one mail and settle its claim; return whether it was handed over."""
    subject, told = "", claim.rows
    try:
        written = compose_mail(claim)
        if written is None:
            settle.mark_dropped(claim, "over")
            return False
        subject, told = written.subject, written.rows
        _send(written, server)
    except MailServerUnavailable as error:
        server.close()
        settle.postpone(claim, str(error))
        raise
    except Exception as error:
        server.close()
        _note_failure(claim, subject, error)
        if isinstance(error, SMTPServerDisconnected):
            # The next mail would fail as well, but this mail may be the cause.
            raise MailServerUnavailable(_reason(error)) from error
    else:
        settle.mark_sent(claim, subject, told)
        return True
    return False


def _send(written: MailMessage, server: Any) -> None:
    """Connect, once for all mails of a round, and hand the mail over.

    Raises MailServerUnavailable if the server did not get as far as the mail.
    """
    try:
        server.open()
    except (SMTPException, OSError) as error:
        raise MailServerUnavailable(_reason(error)) from error
    try:
        _hand_over(written, server)
    except (SMTPException, OSError) as error:
        if _is_away(error):
            raise MailServerUnavailable(_reason(error)) from error
        raise


def _is_away(error: Exception) -> bool:
    """Return whether the error says that the server is unavailable, not that it refused the mail."""
    if isinstance(error, SMTPRecipientsRefused):
        return _refusal(error)[0] == _CLOSING
    if isinstance(error, SMTPSenderRefused):
        return error.smtp_code == _CLOSING
    return not isinstance(error, SMTPException)


def _note_failure(claim: Claim, subject: str, error: Exception) -> None:
    """Record the failure: refused for good, or to be tried again."""
    if isinstance(error, SMTPRecipientsRefused):
        code, why = _refusal(error)
        settle = mark_refused if _is_final(code) else mark_failed
        settle(claim, subject, why)
        return
    mark_failed(claim, subject, _reason(error))
    logger.error("Could not send a mail to user %s", claim.user and claim.user.pk, exc_info=error)


def _hand_over(written: MailMessage, server: Any) -> None:
    server.send_messages([written.message()])


def _refusal(error: SMTPRecipientsRefused) -> tuple[int, str]:
    """The server's answer about the only recipient."""
    code, text = next(iter(error.recipients.values()))
    return code, f"{code} {_plain(text)}"


def _is_final(code: int) -> bool:
    return 500 <= code < 600


def _reason(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return f"{error.smtp_code} {_plain(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"


def _plain(text: bytes | str) -> str:
    plain = text.decode(errors="replace") if isinstance(text, bytes) else text
    return " ".join(plain.split())
