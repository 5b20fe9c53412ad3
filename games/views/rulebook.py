"""The rules for people."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms import SYSTEM
from games.models import Game
from games.rules import SYSTEMS
from games.tables import TABLES

from . import terms
from .naming import rules_title, title


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """How the game is played."""
    return render(request, "rules/how_to_play.html", TABLES[SYSTEM].rules_page())


@require_safe
@never_cache
def rules_of_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """By what a game is played, each option in a sentence."""
    game = get_object_or_404(Game, public_id=public_id)
    context = {
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "rules_title": rules_title(game),
        "rules_url": reverse("preset", args=[game.preset]),
        "settings": terms.settings(game),
        "options": terms.options(game),
    }
    return render(request, "games/rules.html", context)


@require_safe
def preset(request: HttpRequest, name: str) -> HttpResponse:
    """What differs under one preset."""
    if name not in SYSTEMS[SYSTEM].PRESETS:
        raise Http404
    return render(request, "rules/preset.html", TABLES[SYSTEM].preset_page(name))
