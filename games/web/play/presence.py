"""The players at the table of a live game."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game
from games.play.page_presence import seats_here
from games.play.seats.left_seats import away_since
from games.play.spectator_position import shown_to
from games.web.text.absence_text import away_sentences


@require_safe
@never_cache
def presence(request: HttpRequest, public_id: str) -> JsonResponse:
    """Answer with the seats whose players see the table, and with sentences on those who are away.

    `changes` tells whether these sentences are about to change by themselves. There is nothing to tell unless
    the game is live and runs, and nothing to spectators who see it late.
    """
    found = get_object_or_404(Game.objects.shown_to(request.user), public_id=public_id)
    game = shown_to(found, request.user)
    seats = list(game.seats.select_related("user"))
    reader = next((seat.number for seat in seats if seat.user_id == request.user.pk), None)
    away = away_since(game, seats)
    return JsonResponse(
        {
            "here": sorted(seats_here(game, seats, request.user.pk)),
            "away": away_sentences(seats, away, reader),
            "changes": bool(away.keys() - {reader}),
        }
    )
