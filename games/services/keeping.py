"""For how long it is kept what people were told, and what goes when they leave."""

from datetime import datetime, timedelta

from accounts.models import User
from games.models import (
    Attention,
    Delivery,
    Endpoint,
    MutedKind,
    Notification,
    Presence,
)

# Long enough to look into when somebody asks where a mail was.
SETTLED_FOR = timedelta(days=30)
SEEN_FOR = timedelta(days=1)


def throw_away(now: datetime) -> dict[str, int]:
    """Throw away what is too old at `now`; returns how much of what."""
    old = {
        "settled notifications": Notification.objects.filter(settled__lt=now - SETTLED_FOR),
        "deliveries": Delivery.objects.filter(at__lt=now - SETTLED_FOR),
        "looks at games": Presence.objects.filter(until__lt=now - SEEN_FOR),
    }
    return {what: rows.delete()[0] for what, rows in old.items()}


def forget(user: User) -> None:
    """Keep nothing of how and where a user who leaves was told of games.

    What others are still told of this user, they are told under the name that stays.
    """
    Notification.objects.filter(who=user).update(about=user.get_short_name())
    for model in (Notification, Delivery, Endpoint, Attention, MutedKind, Presence):
        model.objects.filter(user=user).delete()
