"""Where a program sits down, and how it leaves."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games import services
from games.models import Game
from games.queries import lists
from games.queries.lists import Wanted

from . import telling
from .answers import ByProgram, for_programs, sent

# Anything longer is no code.
LONGEST_CODE = 40


@for_programs("GET")
def games(request: ByProgram) -> HttpResponse:
    """The program's unfinished games, those it is invited to, and open ones whose hosts let programs in."""
    mine = lists.with_seats(list(lists.unfinished(request.user)))
    invited = lists.with_seats(list(lists.invited(request.user)))
    waiting = lists.open_games(request.user, Wanted()).filter(programs=True)
    open_ = lists.with_seats(list(waiting[: lists.PAGE]))
    return JsonResponse(
        {
            name: [telling.table(game, list(game.seats.all())) for game in found]
            for name, found in (("mine", mine), ("invited", invited), ("open", open_))
        }
    )


@for_programs("POST")
def join(request: ByProgram, public_id: str) -> HttpResponse:
    """Sit down; a `code` may be sent, that of the link of a game that is not listed."""
    found = get_object_or_404(Game, public_id=public_id)
    code = (sent(request, "code") or "")[:LONGEST_CODE]
    services.join(game_id=found.pk, user=request.user, code=code if code.isalnum() else "")
    return _as_it_is(found)


@for_programs("POST")
def leave(request: ByProgram, public_id: str) -> HttpResponse:
    """Stand up before the start, or say no to an invitation."""
    found = get_object_or_404(Game, public_id=public_id)
    if not services.leave(game_id=found.pk, user=request.user):
        services.decline(game_id=found.pk, user=request.user)
    return _as_it_is(found)


@for_programs("POST")
def concede(request: ByProgram, public_id: str) -> HttpResponse:
    """Give up a running game."""
    found = get_object_or_404(Game, public_id=public_id)
    services.concede(game_id=found.pk, by=request.user)
    return _as_it_is(found)


def _as_it_is(game: Game) -> HttpResponse:
    now = Game.objects.get(pk=game.pk)
    return JsonResponse(telling.table(now, list(now.seats.select_related("user"))))
