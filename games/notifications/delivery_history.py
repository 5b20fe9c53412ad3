"""What is read of how people are told of their games."""

import json
from collections.abc import Iterable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, GameNotificationLevel, Kind, MutedKind, Notification

LISTED = 10


def last_deliveries(user: User, hidden: Iterable[str] = ()) -> QuerySet[DeliveryAttempt]:
    """The latest attempts to tell the user something, the newest first, without `hidden` words."""
    told = without(DeliveryAttempt.objects.filter(user=user), hidden)
    return told.select_related("endpoint").order_by("-at", "-pk")[:LISTED]


def without(deliveries: QuerySet[DeliveryAttempt], hidden: Iterable[str]) -> QuerySet[DeliveryAttempt]:
    """The deliveries whose subject has none of these words."""
    for words in hidden:
        deliveries = deliveries.exclude(subject__icontains=words)
    return deliveries


def endpoints_of(user: User) -> list[Endpoint]:
    """Where besides the mailbox the user wants to be told, the given up ones too."""
    return list(Endpoint.objects.filter(user=user))


def wanted_kinds(user: User) -> list[str]:
    """The kinds of news that the user wants to hear."""
    muted = set(MutedKind.objects.filter(user=user).values_list("kind", flat=True))
    return [kind for kind in Kind if kind not in muted]


def has_trouble(user: User) -> bool:
    """Whether an endpoint of the user was given up."""
    return Endpoint.objects.filter(user=user, stopped__isnull=False).exists()


def my_notices(user: User) -> list[tuple[str, bytes]]:
    """What is kept of how the user is told of games, as a file; keys stay out."""
    endpoints = Endpoint.objects.filter(user=user).values("kind", "name", "url", "made", "stopped", "trouble")
    told = Notification.objects.filter(user=user).order_by("pk")
    deliveries = DeliveryAttempt.objects.filter(user=user).order_by("pk")
    facts: dict[str, Any] = {
        "endpoints": list(endpoints),
        "muted_kinds": list(MutedKind.objects.filter(user=user).values_list("kind", flat=True)),
        "games": list(GameNotificationLevel.objects.filter(user=user).values("game__public_id", "level")),
        "notifications": list(
            told.values("game__public_id", "kind", "version", "about", "made", "state", "settled", "outcome")
        ),
        "deliveries": list(deliveries.values("at", "address", "subject", "outcome", "detail")),
    }
    text = json.dumps(facts, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)
    return [("notifications.json", text.encode())]
