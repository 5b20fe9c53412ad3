"""Hand account mails over to the mail server."""

import logging
import time
from smtplib import SMTPRecipientsRefused
from typing import Any

from accounts.mail import account_outbox, mail_server
from accounts.mail.account_letters import compose
from accounts.mail.address_requests import REQUESTS, answer_request
from accounts.mail.addresses import stop_mail_of_members
from accounts.mail.letter import NotWanted
from accounts.mail.mail_server import MailServerUnavailable
from accounts.models import AccountMail

logger = logging.getLogger(__name__)


def deliver_account_mail(seconds: float) -> int:
    """Send due mails, starting none after this many seconds; return how many were handed over."""
    if mail_server.is_left_alone():
        return 0
    ends, sent = time.monotonic() + seconds, 0
    with mail_server.connection() as server:
        while time.monotonic() < ends and (row := account_outbox.claim_account_mail()):
            # Connect before looking anything up: see accounts.mail.address_requests.
            if not _connects(row, server):
                break
            try:
                sent += _deliver(row, server)
            except MailServerUnavailable as error:
                # Unlike notifications, do not leave the server alone now: the next request for a new password
                # would wait, and so reveal that there was a mail to send.
                mail_server.note_trouble(error)
                break
    return sent


def _connects(row: AccountMail, server: Any) -> bool:
    """Connect to the server; if it does not answer, put the row off and leave the server alone."""
    try:
        mail_server.connect(server)
    except MailServerUnavailable as error:
        account_outbox.postpone(row, str(error))
        mail_server.leave_alone(error)
        return False
    return True


def _deliver(row: AccountMail, server: Any) -> bool:
    """Compose and send one mail and settle its row; return whether it was handed over."""
    try:
        if row.kind in REQUESTS:
            answer_request(row)
            return False
        message = compose(row)
    except NotWanted as reason:
        account_outbox.mark_dropped(row, str(reason))
        return False
    except Exception:
        logger.exception("Account mail %s could not be written", row.pk)
        account_outbox.mark_failed(row, "could not be written")
        return False
    try:
        mail_server.hand_over(message, server)
    except MailServerUnavailable as error:
        server.close()
        why = mail_server.brief(error.__cause__ or error)
        account_outbox.postpone(row, why)
        raise MailServerUnavailable(why) from None
    except Exception as error:
        server.close()
        _note_failure(row, error)
        if mail_server.is_broken_off(error):
            # The next mail would fail as well.
            raise MailServerUnavailable(mail_server.brief(error)) from None
        return False
    mail_server.note_answer()
    account_outbox.mark_sent(row)
    return True


def _note_failure(row: AccountMail, error: Exception) -> None:
    """Record the failure, as final or to be tried again, without repeating the server's words."""
    why = mail_server.brief(error)
    # No traceback: it would end with the server's words, and those may repeat the link.
    logger.warning("Account mail %s was not taken (attempt %s): %s", row.pk, row.attempts, why)
    if isinstance(error, SMTPRecipientsRefused):
        mail_server.note_answer()
        refusal = mail_server.refusal(error)
        if mail_server.is_final(refusal):
            account_outbox.mark_dropped(row, why)
            stop_mail_of_members(row.address, refusal[1])
            return
    account_outbox.mark_failed(row, why)
