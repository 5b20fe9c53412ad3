"""What every page knows about games."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.lobby.game_lists import waiting_count
from games.models.playable_systems import playable_systems
from games.web.presenters.presenter_registry import PRESENTERS


def waiting(request: HttpRequest) -> dict[str, object]:
    """`waiting_count`: how many games wait for the user; asked only by pages that show it."""
    # A request can be refused before anybody has looked at who sent it.
    user = getattr(request, "user", AnonymousUser())
    return {"waiting_count": SimpleLazyObject(lambda: waiting_count(user))}


def credits(request: HttpRequest) -> dict[str, object]:
    """`credits`: to whom each game that may be played here is owed, and the page that says more."""
    return {"credits": SimpleLazyObject(_credits)}


def _credits() -> list[tuple[str, str]]:
    return [(PRESENTERS[system].credit(), reverse("about", args=[system])) for system in playable_systems()]
