"""Queries of a member's notifications, endpoints and delivery attempts."""

import json
from collections.abc import Iterable
from datetime import datetime
from itertools import product
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from accounts.models import User
from games.models import (
    Channel,
    DeliveryAttempt,
    Endpoint,
    GameNotificationLevel,
    Kind,
    MutedKind,
    Notification,
)
from games.notifications.outbox.outbox_rows import backoff_until

LISTED = 10


def last_deliveries(user: User, hidden: Iterable[str] = ()) -> QuerySet[DeliveryAttempt]:
    """The user's latest delivery attempts, newest first, without those whose subject has `hidden` words."""
    told = without(DeliveryAttempt.objects.filter(user=user), hidden)
    return told.select_related("endpoint").order_by("-at", "-pk")[:LISTED]


def without(deliveries: QuerySet[DeliveryAttempt], hidden: Iterable[str]) -> QuerySet[DeliveryAttempt]:
    """Exclude the deliveries whose subject has one of these words."""
    for words in hidden:
        deliveries = deliveries.exclude(subject__icontains=words)
    return deliveries


def endpoints_of(user: User, now: datetime) -> list[tuple[Endpoint, datetime | None]]:
    """The user's endpoints, stopped ones included, and until when each is left alone after a failure."""
    found = Endpoint.objects.filter(user=user)
    return [(endpoint, None if endpoint.stopped else _left_alone_until(endpoint, now)) for endpoint in found]


def _left_alone_until(endpoint: Endpoint, now: datetime) -> datetime | None:
    until = backoff_until(endpoint)
    return until if until and until > now else None


def wanted_kinds(user: User) -> set[tuple[str, str]]:
    """The kinds of notification that the user has not muted, each with the channel."""
    every_kind: set[tuple[str, str]] = set(product(Kind, Channel))
    return every_kind - set(MutedKind.objects.filter(user=user).values_list("kind", "channel"))


def has_trouble(user: User) -> bool:
    """Return whether one of the user's endpoints was stopped."""
    return Endpoint.objects.filter(user=user, stopped__isnull=False).exists()


def my_notices(user: User) -> list[tuple[str, bytes]]:
    """Export the user's notification data as files of name and content; keys are left out."""
    endpoints = Endpoint.objects.filter(user=user).values("kind", "name", "url", "made", "stopped", "trouble")
    told = Notification.objects.filter(user=user).order_by("pk")
    deliveries = DeliveryAttempt.objects.filter(user=user).order_by("pk")
    facts: dict[str, Any] = {
        "endpoints": list(endpoints),
        "muted_kinds": list(MutedKind.objects.filter(user=user).order_by("pk").values("kind", "channel")),
        "games": list(GameNotificationLevel.objects.filter(user=user).values("game__public_id", "level")),
        "notifications": list(
            told.values("game__public_id", "kind", "version", "about", "made", "state", "settled", "outcome")
        ),
        "deliveries": list(deliveries.values("at", "address", "subject", "outcome", "detail")),
    }
    text = json.dumps(facts, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False)
    return [("notifications.json", text.encode())]
