"""Hand notification mails over to the mail server (accounts.mail.mail_server)."""

import logging
import time
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any

from django.core.mail import get_connection
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.mail import mail_server
from accounts.mail.addresses import confirmed_addresses
from accounts.mail.mail_server import MailServerUnavailable
from accounts.models import User
from games.models import DeliveryAttempt
from games.notifications.outbox import settle
from games.notifications.outbox.claim import Claim, claim_letter
from games.notifications.outbox.outbox_rows import has_due_mail
from games.notifications.outbox.settle import mark_failed, mark_refused
from games.web.notifications.mail_message import MailMessage, compose_mail, compose_test_mail

logger = logging.getLogger(__name__)


def deliver_mail(seconds: float) -> int:
    """Send due mails, starting none after this many seconds; return how many were handed over."""
    if mail_server.is_left_alone() or not has_due_mail(timezone.now()):
        return 0
    ends, sent = time.monotonic() + seconds, 0
    with mail_server.connection() as server:
        try:
            # Connect before claiming: while the server is away nothing is put off, so all goes afterwards.
            mail_server.connect(server)
            while time.monotonic() < ends and (claim := claim_letter()):
                sent += _deliver(claim, server)
        except MailServerUnavailable as error:
            mail_server.leave_alone(error)
    return sent


def send_trial(user: User) -> str:
    """Send the user a test mail; return why it could not be handed over, or ""."""
    address = confirmed_addresses().filter(user=user).first()
    if address is None:
        return _("You have no confirmed email address.")
    written = compose_test_mail(user, address.email)
    try:
        get_connection().send_messages([written.message()])
    except SMTPRecipientsRefused as error:
        refusal = mail_server.refusal(error)
        problem = refusal[1]
        if mail_server.is_final(refusal):
            settle.stop_mail(address.email, problem)
    except (SMTPException, OSError) as error:
        problem = mail_server.reason(error)
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
        mail_server.connect(server)
        _hand_over(written, server)
    except MailServerUnavailable as error:
        server.close()
        settle.postpone(claim, str(error))
        raise
    except Exception as error:
        server.close()
        _note_failure(claim, subject, error)
        if mail_server.is_broken_off(error):
            raise MailServerUnavailable(mail_server.reason(error)) from error
    else:
        mail_server.note_answer()
        settle.mark_sent(claim, subject, told)
        return True
    return False


def _note_failure(claim: Claim, subject: str, error: Exception) -> None:
    """Record the failure: refused for good, or to be tried again."""
    if isinstance(error, SMTPRecipientsRefused):
        mail_server.note_answer()
        refusal = mail_server.refusal(error)
        settle = mark_refused if mail_server.is_final(refusal) else mark_failed
        settle(claim, subject, refusal[1])
        return
    mark_failed(claim, subject, mail_server.reason(error))
    logger.error("Could not send a mail to user %s", claim.user and claim.user.pk, exc_info=error)


def _hand_over(written: MailMessage, server: Any) -> None:
    mail_server.hand_over(written.message(), server)
