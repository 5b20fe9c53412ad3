"""What every page knows about games."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.queries import waiting_count


def waiting(request: HttpRequest) -> dict[str, object]:
    """`waiting_count`: how many games wait for the user; asked only by pages that show it."""
    # A request can be refused before anybody has looked at who sent it.
    user = getattr(request, "user", AnonymousUser())
    return {"waiting_count": SimpleLazyObject(lambda: waiting_count(user))}
