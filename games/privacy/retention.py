"""Retention of notifications and texts, and deletion of the data of departing users."""

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
    GameMoney,
    GameNotificationLevel,
    GameVisit,
    InsightSum,
    Invitation,
    LessonProgress,
    MutedKind,
    MutedMember,
    Note,
    Notification,
    OpenPage,
    PublicInsights,
    PuzzleAnswer,
    RatedDecision,
    Reliability,
    Vacation,
)

# Long enough to answer questions about missing mail.
SETTLED_FOR = timedelta(days=30)
SEEN_FOR = timedelta(days=1)

# Moderators consult the outcomes of earlier reports about the same person.
REPORTED_FOR = timedelta(days=180)

# After a longer absence nothing is marked as new.
VISITED_FOR = timedelta(days=180)

# Explorations untouched for this long are taken as finished.
EXPLORED_FOR = timedelta(days=14)


def delete_expired(now: datetime) -> dict[str, int]:
    """Delete what has expired at `now` and return the number of rows by kind."""
    old = {
        "settled notifications": Notification.objects.filter(settled__lt=now - SETTLED_FOR),
        "deliveries": DeliveryAttempt.objects.filter(at__lt=now - SETTLED_FOR),
        # No game waits for players that long, and an address is personal data.
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
    """Delete a departing user's notifications, texts, on-time record, and rated decisions with their retries.

    Pending notifications to others name the user by the name that stays.
    """
    Notification.objects.filter(who=user).update(about=user.get_short_name())
    # Mail sent to the address before it belonged to the member.
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
    for written in (
        ChatMessage,
        Note,
        MutedMember,
        Block,
        GameVisit,
        Exploration,
        PuzzleAnswer,
        LessonProgress,
        RatedDecision,
        GameMoney,
        InsightSum,
        PublicInsights,
    ):
        written.objects.filter(user=user).delete()
