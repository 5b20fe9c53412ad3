"""Context processors about games."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.lobby.game_lists import waiting_count
from games.models.playable_systems import playable_systems
from games.web.presenters.presenter_registry import PRESENTERS


def waiting(request: HttpRequest) -> dict[str, object]:
    """Provide `waiting_count`, the number of games that wait for the user; lazy."""
    # A request may be refused before the middleware has set its user.
    user = getattr(request, "user", AnonymousUser())
    return {"waiting_count": SimpleLazyObject(lambda: waiting_count(user))}


def credits(request: HttpRequest) -> dict[str, object]:
    """Provide `credits`: the credit of each playable rule system and the address of its page; lazy."""
    return {"credits": SimpleLazyObject(_credits)}


def _credits() -> list[tuple[str, str]]:
    return [(PRESENTERS[system].credit(), reverse("about", args=[system])) for system in playable_systems()]
