"""Joining and leaving games in the API of bot accounts."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games.lobby import game_lists, join_game
from games.lobby.game_lists import OpenGameFilter
from games.lobby.invite import decline
from games.models import Game
from games.play.seats import concession
from games.web.api.bots import bot_json
from games.web.api.bots.bot_response import BotRequest, bot_view, sent

# Longer than any invite code.
MAX_CODE_LENGTH = 40


@bot_view("GET")
def games(request: BotRequest) -> HttpResponse:
    """Return the unfinished games, invitations, and open games that admit bot accounts."""
    mine = game_lists.with_seats(list(game_lists.unfinished(request.user)))
    invited = game_lists.with_seats(list(game_lists.invited(request.user)))
    waiting = game_lists.open_games(request.user, OpenGameFilter()).filter(bots_allowed=True)
    open_ = game_lists.with_seats(list(waiting[: game_lists.PAGE]))
    return JsonResponse(
        {
            name: [bot_json.table(game, list(game.seats.all())) for game in found]
            for name, found in (("mine", mine), ("invited", invited), ("open", open_))
        }
    )


@bot_view("POST")
def join(request: BotRequest, public_id: str) -> HttpResponse:
    """Join a game; `code` is the code of an invite link."""
    found = get_object_or_404(Game, public_id=public_id)
    code = (sent(request, "code") or "")[:MAX_CODE_LENGTH]
    join_game.join(game_id=found.pk, user=request.user, code=code if code.isalnum() else "")
    return _as_it_is(found)


@bot_view("POST")
def leave(request: BotRequest, public_id: str) -> HttpResponse:
    """Leave a game before its start, or decline an invitation to it."""
    found = get_object_or_404(Game, public_id=public_id)
    if not join_game.leave(game_id=found.pk, user=request.user):
        decline(game_id=found.pk, user=request.user)
    return _as_it_is(found)


@bot_view("POST")
def concede(request: BotRequest, public_id: str) -> HttpResponse:
    """Concede a running game."""
    found = get_object_or_404(Game, public_id=public_id)
    concession.concede(game_id=found.pk, by=request.user)
    return _as_it_is(found)


def _as_it_is(game: Game) -> HttpResponse:
    now = Game.objects.get(pk=game.pk)
    return JsonResponse(bot_json.table(now, list(now.seats.select_related("user"))))
