"""For how long it is kept what people were told, and what goes when they leave."""

from datetime import datetime, timedelta

from django.db.models.functions import Lower

from accounts.models import User
from games.models import (
    Attention,
    Delivery,
    Endpoint,
    Invitation,
    MutedKind,
    Notification,
    Presence,
)

from .recipients import confirmed_addresses

# Long enough to look into when somebody asks where a mail was.
SETTLED_FOR = timedelta(days=30)
SEEN_FOR = timedelta(days=1)


def throw_away(now: datetime) -> dict[str, int]:
    """Throw away what is too old at `now`; returns how much of what."""
    old = {
        "settled notifications": Notification.objects.filter(settled__lt=now - SETTLED_FOR),
        "deliveries": Delivery.objects.filter(at__lt=now - SETTLED_FOR),
        # No game waits for players as long as that, and an address is somebody's own.
        "invitations to mail addresses": Invitation.objects.exclude(address="").filter(
            made__lt=now - SETTLED_FOR
        ),
        "looks at games": Presence.objects.filter(until__lt=now - SEEN_FOR),
    }
    return {what: rows.delete()[0] for what, rows in old.items()}


def forget(user: User) -> None:
    """Keep nothing of how and where a user who leaves was told of games.

    What others are still told of this user, they are told under the name that stays.
    """
    Notification.objects.filter(who=user).update(about=user.get_short_name())
    # What went to the address before it was known whose it is.
    addresses = confirmed_addresses().filter(user=user).values_list(Lower("email"))
    Delivery.objects.alias(to=Lower("address")).filter(user=None, to__in=addresses).delete()
    for model in (Notification, Delivery, Endpoint, Attention, MutedKind, Presence):
        model.objects.filter(user=user).delete()
