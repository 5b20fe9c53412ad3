"""Public games and their positions in the API."""

from django.http import HttpRequest, HttpResponseBase

from games.archive.public_games import public_game, public_games, public_position, summary
from games.models import Game
from games.web.api.public import api_query
from games.web.api.public.api_response import NOBODY, public, told


@public
def games(request: HttpRequest) -> HttpResponseBase:
    """Return a page of public games, the latest first; `next` is the `after` of the following page."""
    api_query.check_names(request, api_query.OF_LIST)
    page = public_games(api_query.choice(request), request.GET.get("after", ""), api_query.limit(request))
    data = {"games": [summary(game) for game in page.games], "next": page.following or None}
    return told(request, data)


@public
def game(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return one started public game, as described in docs/export.md."""
    api_query.check_names(request, ())
    record = public_game(public_id)
    return told(request, record, lasting=record["game"]["status"] == Game.Status.FINISHED)


@public
def position(request: HttpRequest, public_id: str, number: int) -> HttpResponseBase:
    """Return a position of a public game by the number of the entry that led to it; 0 is the deal."""
    api_query.check_names(request, ())
    record = public_position(public_id, number, NOBODY)
    return told(request, record, lasting=record["status"] == Game.Status.FINISHED)
