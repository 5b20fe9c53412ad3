"""Members, as everybody may know them."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from games import queries
from games.queries import players, ratings
from games.queries.exports import moment

from . import reading
from .answers import public, told


@public
def player(request: HttpRequest, name: str) -> HttpResponseBase:
    """One member: how much they play, how far they can be relied on, and how their games ended."""
    reading.check_names(request, ("after",))
    member = players.player(name)
    page = players.results_of(member, request.GET.get("after", ""))
    known, away = players.reliability_of(member), queries.away_until([member.pk]).get(member.pk)
    data = {
        "name": member.username,
        "address": reverse("player", args=[member.username]),
        "program": member.is_program,
        "games": players.counts_of(member),
        "ratings": [_rating(rated) for rated in ratings.ratings_of(member)],
        "in_time": known.in_time,
        "away_until": away.isoformat() if away is not None else None,
        "results": [_result(result) for result in page.results],
        "next": page.older or None,
    }
    return told(request, data)


def _rating(rated: ratings.Rated) -> dict[str, Any]:
    return {
        "system": rated.system,
        "players": rated.players or None,
        "points": rated.points,
        "provisional": rated.provisional,
        "games": rated.games,
        "wins": rated.wins,
    }


def _result(result: players.Result) -> dict[str, Any]:
    return {
        "game": result.game.public_id,
        "system": result.game.system,
        "preset": result.game.preset,
        "rank": result.rank,
        "points": result.points,
        "players": result.players,
        "finished": moment(result.finished),
    }
