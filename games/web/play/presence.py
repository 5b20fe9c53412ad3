"""The players at the table of a live game."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game
from games.play.page_presence import seats_here


@require_safe
@never_cache
def presence(request: HttpRequest, public_id: str) -> JsonResponse:
    """Answer with the seats whose players see the table; none unless the game is live and runs."""
    game = get_object_or_404(Game.objects.shown_to(request.user), public_id=public_id)
    return JsonResponse({"here": sorted(seats_here(game, list(game.seats.all()), request.user.pk))})
