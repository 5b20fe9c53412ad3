"""The view that opens and covers hands at a practice table."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.play.seats import practice_hands
from games.refusals import StalePosition
from games.web.open_hand import save_open_hand
from games.web.play.table_views import table_response
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def hand(request: Request, public_id: str) -> HttpResponse:
    """Open the hand of the posted `seat`, which must be to move, or cover the open hand (`cover`).

    A GET is redirected to the game.
    """
    found = get_object_or_404(Game, public_id=public_id, is_practice=True, host=request.user)
    if request.method != "POST":
        return redirect(found)
    if "cover" in request.POST:
        save_open_hand(request, public_id, None)
    elif _asks(found, request.POST.get("seat", "")):
        save_open_hand(request, public_id, practice_hands.OpenHand(found.seat_to_move or 0, found.version))
    else:
        problem = str(StalePosition().message)
        return table_response(request, public_id, problem=problem, status=409)
    return table_response(request, public_id) if request.htmx else redirect(found)


def _asks(found: Game, seat: str) -> bool:
    """Return whether the game waits for this seat."""
    return found.is_running and found.bot_due_at is None and seat == str(found.seat_to_move)
