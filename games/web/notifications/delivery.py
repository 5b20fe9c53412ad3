"""Mail, web push and webhook delivery."""


def deliver(seconds: float) -> int:
    """Send what is due for about this many seconds; return how many messages were handed over."""
    # Imported late: callers that only schedule a delivery do not need the senders.
    from games.web.notifications.endpoint_delivery import deliver_messages
    from games.web.notifications.mail_delivery import deliver_mail

    return deliver_mail(seconds / 2) + deliver_messages(seconds / 2)
