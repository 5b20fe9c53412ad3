"""Endpoints of members: browsers and webhooks."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.models import Endpoint, Kind
from games.notifications.delivery_times import QUIET_AFTER_MOVE
from games.notifications.outbox.outbox_rows import waiting
from games.realtime import worker_queue
from games.refusals import TooManyEndpoints

MAX_ENDPOINTS = 10


@transaction.atomic
def add(user: User, *, kind: str, url: str, name: str = "", public: str = "", auth: str = "") -> Endpoint:
    """Add an endpoint of the user, or reset the one with this URL. Raises TooManyEndpoints."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    others = Endpoint.objects.filter(user=user).exclude(url=url)
    if others.count() >= MAX_ENDPOINTS:
        raise TooManyEndpoints
    if kind == Endpoint.Kind.PUSH:
        # A browser shows the notifications of the member who used it last.
        Endpoint.objects.filter(kind=kind, url=url).exclude(user=user).delete()
    facts = {"kind": kind, "name": name, "public": public, "auth": auth}
    fresh = {"failures": 0, "stopped": None, "trouble": ""}
    endpoint, _ = Endpoint.objects.update_or_create(user=user, url=url, defaults={**facts, **fresh})
    return endpoint


@transaction.atomic
def revive(endpoint: Endpoint) -> None:
    """Send to an endpoint again that was stopped or left alone, and what has waited for it at once."""
    now = timezone.now()
    Endpoint.objects.filter(pk=endpoint.pk).update(failures=0, stopped=None, trouble="")
    # Reminders that nobody has tried to send wait for their own time.
    put_off = Q(attempts__gt=0) | ~Q(kind=Kind.REMINDER) & Q(made__lt=now - QUIET_AFTER_MOVE)
    if waiting().filter(put_off, endpoint=endpoint, due__gt=now).update(due=now):
        transaction.on_commit(worker_queue.request_delivery, robust=True)
