"""For how long it is kept what people were told and wrote, and what goes when they leave."""

from datetime import datetime, timedelta

from django.db.models import Q
from django.db.models.functions import Lower

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from games.models import (
    AbuseReport,
    Block,
    ChatMessage,
    DeliveryAttempt,
    Endpoint,
    Exploration,
    GameNotificationLevel,
    GameVisit,
    Invitation,
    MutedKind,
    MutedMember,
    Note,
    Notification,
    OpenPage,
    PuzzleAnswer,
    Reliability,
    Vacation,
)

# Long enough to look into when somebody asks where a mail was.
SETTLED_FOR = timedelta(days=30)
SEEN_FOR = timedelta(days=1)

# Moderators look at what came of earlier reports of the same person.
REPORTED_FOR = timedelta(days=180)

# Whoever comes back to a game after that long finds nothing marked as new.
VISITED_FOR = timedelta(days=180)

# Whoever has not come back to what was tried beside a game by then has done with it.
EXPLORED_FOR = timedelta(days=14)


def delete_expired(now: datetime) -> dict[str, int]:
    """Throw away what is too old at `now`; returns how much of what."""
    old = {
        "settled notifications": Notification.objects.filter(settled__lt=now - SETTLED_FOR),
        "deliveries": DeliveryAttempt.objects.filter(at__lt=now - SETTLED_FOR),
        # No game waits for players as long as that, and an address is somebody's own.
        "invitations to mail addresses": Invitation.objects.exclude(address="").filter(
            made__lt=now - SETTLED_FOR
        ),
        "looks at games": OpenPage.objects.filter(visible_until__lt=now - SEEN_FOR),
        "visits to games": GameVisit.objects.filter(at__lt=now - VISITED_FOR),
        "explorations": Exploration.objects.filter(touched__lt=now - EXPLORED_FOR),
        "settled reports": AbuseReport.objects.filter(settled__lt=now - REPORTED_FOR),
    }
    return {what: rows.delete()[0] for what, rows in old.items()}


def forget_user(user: User) -> None:
    """Keep nothing of how and where a user who leaves was told of games, nor of what the user wrote there
    and how the user kept time.

    What others are still told of this user, they are told under the name that stays.
    """
    Notification.objects.filter(who=user).update(about=user.get_short_name())
    # What went to the address before it was known whose it is.
    addresses = confirmed_addresses().filter(user=user).values_list(Lower("email"))
    DeliveryAttempt.objects.alias(to=Lower("address")).filter(user=None, to__in=addresses).delete()
    AbuseReport.objects.filter(Q(by=user) | Q(person=user)).delete()
    MutedMember.objects.filter(person=user).delete()
    Block.objects.filter(person=user).delete()
    for model in (
        Notification,
        DeliveryAttempt,
        Endpoint,
        GameNotificationLevel,
        MutedKind,
        OpenPage,
        Vacation,
        Reliability,
    ):
        model.objects.filter(user=user).delete()
    for written in (ChatMessage, Note, MutedMember, Block, GameVisit, Exploration, PuzzleAnswer):
        written.objects.filter(user=user).delete()
