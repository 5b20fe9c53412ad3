"""Public games and their positions."""

from django.http import HttpRequest, HttpResponseBase

from games.models import Game
from games.queries import public as queries

from . import reading
from .answers import NOBODY, public, told


@public
def games(request: HttpRequest) -> HttpResponseBase:
    """A page of public games, the latest first; `next` is the `after` of the following page."""
    reading.check_names(request, reading.OF_LIST)
    page = queries.public_games(reading.choice(request), request.GET.get("after", ""), reading.limit(request))
    data = {"games": [queries.summary(game) for game in page.games], "next": page.following or None}
    return told(request, data)


@public
def game(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """One public game that has begun, as docs/export.md describes it."""
    reading.check_names(request, ())
    record = queries.public_game(public_id)
    return told(request, record, lasting=record["game"]["status"] == Game.Status.FINISHED)


@public
def position(request: HttpRequest, public_id: str, number: int) -> HttpResponseBase:
    """A position of a public game, by the number of the entry that led to it, 0 for the deal."""
    reading.check_names(request, ())
    record = queries.public_position(public_id, number, NOBODY)
    return told(request, record, lasting=record["status"] == Game.Status.FINISHED)
