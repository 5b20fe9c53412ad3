"""How people hear of their games while they are away: mail, web push and webhooks."""


def deliver(seconds: float) -> int:
    """Send what is due, for so many seconds and what is begun by then; how much was handed over."""
    # Whoever imports the package for one of its parts does not need all of them.
    from games.web.notifications.endpoint_delivery import deliver_messages
    from games.web.notifications.mail_delivery import deliver_mail

    return deliver_mail(seconds / 2) + deliver_messages(seconds / 2)
