"""Endpoints of members: browsers and webhooks."""

from django.db import transaction

from accounts.models import User
from games.models import Endpoint
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


def revive(endpoint: Endpoint) -> None:
    """Send to a stopped endpoint again."""
    Endpoint.objects.filter(pk=endpoint.pk).update(failures=0, stopped=None, trouble="")
