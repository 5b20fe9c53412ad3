"""Pages of paused games.

A game paused by a moderator stays visible; one whose rule system is off shows its players only the reason.
"""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.lobby.paused_games import paused_games as paused_games_of
from games.log.rulings import Ruling
from games.models import Game
from games.play.game_view import GameView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request
from games.web.text.game_titles import title


@require_safe
@never_cache
@login_required
def paused_games(request: Request) -> HttpResponse:
    """List the reader's paused games."""
    games = [(game.get_absolute_url(), title(game)) for game in paused_games_of(request.user)]
    return render(request, "games/play/paused_games.html", {"games": games})


def paused_game_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Tell a player why the game is paused; with status 409 if they tried to act."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(game.get_absolute_url())
    table = PRESENTERS[game.system]
    context = {"title": title(game), "game": game, "name": table.name(), "designer": table.designer()}
    return render(
        request, "games/play/paused.html", context, status=200 if request.method in ("GET", "HEAD") else 409
    )


def pause_notice(look: GameView) -> dict[str, Any]:
    """The changes to the context of a table while a moderator has paused the game; else empty."""
    if look.game.held_at is None:
        return {}
    pausing = (entry for entry in reversed(look.entries) if entry.text == str(Ruling("holds")))
    last = next(pausing, None)
    said = _("It resumes when a moderator allows it. Nobody loses time.")
    if last is not None and last.reason:
        said = _("Reason: {reason}").format(reason=last.reason) + " " + said
    return {
        "headline": _("A moderator has paused this game"),
        "my_turn": False,
        "thinking": False,
        "rests": said,
    }
