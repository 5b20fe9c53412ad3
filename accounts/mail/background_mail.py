"""Account mail sent in the background.

It needs no outbox: a member who misses a mail can ask for it again.
"""

import logging
import time
from smtplib import SMTPException
from threading import Thread

from django.conf import settings
from django.core.mail import EmailMessage

# Seconds before each attempt: mail servers may refuse mail for a while.
PAUSES = (0, 10, 60)

logger = logging.getLogger(__name__)


def send_in_background(message: EmailMessage) -> None:
    """Send the mail, in a thread if it goes to a real server.

    The page does not wait, so neither its duration nor its result tells whether there was a mail to send.
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
            # The error's message may hold the address, which must not be logged.
            what = type(error).__name__
            logger.warning("Account mail could not be sent (attempt %s): %s", number, what)
        else:
            return
    logger.error("Gave up sending account mail after %s attempts", len(pauses))
