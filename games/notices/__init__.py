"""How people hear of their games while they are away: mail, web push and webhooks."""


def deliver(seconds: float) -> int:
    """Send what is due, for so many seconds and what is begun by then; how much was handed over."""
    # Whoever imports the package for one of its parts does not need all of them.
    from .mailing import deliver_mail
    from .messages import deliver_messages

    return deliver_mail(seconds / 2) + deliver_messages(seconds / 2)
