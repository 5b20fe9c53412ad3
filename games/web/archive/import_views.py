"""Pages to import a game from a file and to delete it again."""

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusals import Refusal
from games.archive import game_import
from games.archive.import_errors import ImportFailed, ImportFault
from games.lobby import game_lists
from games.models import Game
from games.web import refusal_response
from games.web.lobby.game_cards import cards
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def import_game(request: Request) -> HttpResponse:
    """Show the import form and the reader's imported games; import a posted file (see GamesToImport)."""
    if request.method != "POST":
        return _page(request)
    if not ratelimit.consume(request, action="import"):
        return ratelimit.respond_429(request)
    try:
        file = request.FILES.get("file")
        if file is None:
            raise ImportFailed(ImportFault.NO_FILE)
        return redirect(game_import.import_game(file.read(), by=request.user))
    except Refusal as error:
        return _page(request, **refusal_response.refusal_context(error))


def _page(request: Request, problem: str = "", status: int = 200, wait: int = 0) -> HttpResponse:
    games = game_lists.with_seats(list(game_lists.own_imported(request.user)))
    context = {
        "problem": problem,
        "cards": cards(games, request.user),
        "most": game_import.MAX_IMPORTED,
    }
    return refusal_response.add_retry_after(
        render(request, "games/archive/import.html", context, status=status), wait
    )


@require_POST
@never_cache
@login_required
def forget_imported(request: Request, public_id: str) -> HttpResponse:
    """Delete one of the reader's imported games."""
    game = get_object_or_404(
        Game.objects.filter(imported__isnull=False, host=request.user), public_id=public_id
    )
    try:
        game_import.forget_imported(game=game, by=request.user)
    except Refusal as error:
        return _page(request, **refusal_response.refusal_context(error))
    return redirect("import-game")
