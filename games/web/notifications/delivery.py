"""Mail, web push and webhook delivery."""

import time


def deliver(seconds: float) -> int:
    """Send what is due for about this many seconds; return how many messages were handed over."""
    # Imported late: callers that only schedule a delivery do not need the senders.
    from accounts.mail.account_delivery import deliver_account_mail
    from games.web.notifications.endpoint_delivery import deliver_messages
    from games.web.notifications.mail_delivery import deliver_mail

    ends = time.monotonic() + seconds
    # People wait at the screen for links to confirm an address or to choose a password.
    sent = deliver_account_mail(seconds / 3)
    rest = max(0.0, ends - time.monotonic())
    return sent + deliver_mail(rest / 2) + deliver_messages(rest / 2)
