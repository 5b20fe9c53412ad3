"""Importing a game from a file, to study it alone, and deleting it again."""

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.services.refusals import Refusal
from games import queries, services
from games.models import Game
from games.services.importing.refusals import NotImported, Wrong

from . import refusals
from .naming import card
from .requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def import_game(request: Request) -> HttpResponse:
    """The form for a file (which games.uploads takes in), and the games that the reader has imported."""
    if request.method != "POST":
        return _page(request)
    if not ratelimit.consume(request, action="import"):
        return ratelimit.respond_429(request)
    try:
        file = request.FILES.get("file")
        if file is None:
            raise NotImported(Wrong.NO_FILE)
        return redirect(services.import_game(file.read(), by=request.user))
    except Refusal as error:
        return _page(request, **refusals.told(error))


def _page(request: Request, problem: str = "", status: int = 200, wait: int = 0) -> HttpResponse:
    games = queries.with_seats(list(queries.own_imported(request.user)))
    context = {
        "problem": problem,
        "cards": [card(game, request.user) for game in games],
        "most": services.MOST_IMPORTED,
    }
    return refusals.say_when(render(request, "games/import.html", context, status=status), wait)


@require_POST
@never_cache
@login_required
def forget_imported(request: Request, public_id: str) -> HttpResponse:
    """Delete a game that the reader has imported."""
    game = get_object_or_404(
        Game.objects.filter(imported__isnull=False, host=request.user), public_id=public_id
    )
    try:
        services.forget_imported(game=game, by=request.user)
    except Refusal as error:
        return _page(request, **refusals.told(error))
    return redirect("import-game")
