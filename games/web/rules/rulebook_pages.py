"""Pages of the rules, and of the origin of each game."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game
from games.models.playable_systems import permission, playable_systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.text import terms_text
from games.web.text.game_titles import rules_title, title


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show how to play the site's first rule system."""
    return _how_to_play(request, next(iter(playable_systems())))


@require_safe
@never_cache
def rules_of_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the rules and terms of a game."""
    game = get_object_or_404(Game, public_id=public_id)
    context = {
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "rules_title": rules_title(game),
        "rules_url": reverse("preset", args=[game.preset]),
        "all_rules_url": address(game.system),
        "settings": terms_text.settings(game),
        "options": terms_text.options(game),
        **PRESENTERS[game.system].game_rules(game.rules),
    }
    return render(request, "games/rules/rules.html", context)


@require_safe
def preset(request: HttpRequest, name: str) -> HttpResponse:
    """Show how a preset differs, or how a rule system is played if named by it."""
    here = playable_systems()
    if name in here:
        return _how_to_play(request, name)
    for system, known in here.items():
        if name in known.PRESETS:
            table = PRESENTERS[system]
            return render(request, table.PRESET_TEMPLATE, {**table.preset_page(name), "system": system})
    raise Http404


@require_safe
def about(request: HttpRequest, system: str) -> HttpResponse:
    """Show who designed a game, and by whose permission it is played here."""
    if system not in playable_systems():
        raise Http404
    table = PRESENTERS[system]
    context = {
        "name": table.name(),
        "paragraphs": table.about(),
        "permission": permission(system),
        "rules_url": address(system),
    }
    return render(request, "games/rules/about.html", context)


def address(system: str) -> str:
    """Return the address of the rules of a rule system."""
    return reverse("rules") if system == next(iter(playable_systems())) else reverse("preset", args=[system])


def _how_to_play(request: HttpRequest, system: str) -> HttpResponse:
    table = PRESENTERS[system]
    context: dict[str, Any] = {**table.rules_page(), "others": _others(system)}
    return render(request, table.RULES_TEMPLATE, context)


def _others(system: str) -> list[tuple[str, str]]:
    """The names and addresses of the rules of all other rule systems."""
    return [(PRESENTERS[other].name(), address(other)) for other in playable_systems() if other != system]
