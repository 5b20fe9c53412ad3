"""Mail of accounts on its way. One that is lost is asked for again by a press, so it needs no outbox."""

import logging
import time
from smtplib import SMTPException
from threading import Thread

from django.conf import settings
from django.core.mail import EmailMessage

# Seconds before each attempt: a server that wants mail to be tried again is asked twice more.
PAUSES = (0, 10, 60)

log = logging.getLogger(__name__)


def send_in_background(message: EmailMessage) -> None:
    """Send the mail; where it goes to a real server, behind the back of the page that caused it.

    The page does not wait, so neither its time nor its outcome tells whether there was a mail to send.
    """
    if settings.SEND_MAIL_IN_BACKGROUND:
        Thread(target=_try, args=[message, PAUSES], name="mail", daemon=True).start()
    else:
        _try(message, PAUSES[:1])


def _try(message: EmailMessage, pauses: tuple[float, ...]) -> None:
    for number, pause in enumerate(pauses, start=1):
        time.sleep(pause)
        try:
            message.send()
        except (OSError, SMTPException) as error:
            # The error's own words may hold the address, which does not belong into a log.
            what = type(error).__name__
            log.warning("A mail of accounts could not be handed over (attempt %s): %s", number, what)
        else:
            return
    log.error("A mail of accounts was given up after %s attempts", len(pauses))
