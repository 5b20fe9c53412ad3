"""Where a program sits down, and how it leaves."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games.lobby import game_lists, join_game
from games.lobby.game_lists import OpenGameFilter
from games.lobby.invite import decline
from games.models import Game
from games.play.seats import concession
from games.web.api.bots import bot_json
from games.web.api.bots.bot_response import BotRequest, bot_view, sent

# Anything longer is no code.
LONGEST_CODE = 40


@bot_view("GET")
def games(request: BotRequest) -> HttpResponse:
    """The program's unfinished games, those it is invited to, and open ones whose hosts let programs in."""
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
    """Sit down; a `code` may be sent, that of the link of a game that is not listed."""
    found = get_object_or_404(Game, public_id=public_id)
    code = (sent(request, "code") or "")[:LONGEST_CODE]
    join_game.join(game_id=found.pk, user=request.user, code=code if code.isalnum() else "")
    return _as_it_is(found)


@bot_view("POST")
def leave(request: BotRequest, public_id: str) -> HttpResponse:
    """Stand up before the start, or say no to an invitation."""
    found = get_object_or_404(Game, public_id=public_id)
    if not join_game.leave(game_id=found.pk, user=request.user):
        decline(game_id=found.pk, user=request.user)
    return _as_it_is(found)


@bot_view("POST")
def concede(request: BotRequest, public_id: str) -> HttpResponse:
    """Give up a running game."""
    found = get_object_or_404(Game, public_id=public_id)
    concession.concede(game_id=found.pk, by=request.user)
    return _as_it_is(found)


def _as_it_is(game: Game) -> HttpResponse:
    now = Game.objects.get(pk=game.pk)
    return JsonResponse(bot_json.table(now, list(now.seats.select_related("user"))))
