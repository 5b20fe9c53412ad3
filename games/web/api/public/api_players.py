"""Public profiles of members in the API."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

from games.archive.game_export import moment
from games.clocks import vacations
from games.ratings import leaderboards, player_profile
from games.web.api.public import api_query
from games.web.api.public.api_response import public, told


@public
def player(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return the game counts, ratings, on-time rate and latest results of a member."""
    api_query.check_names(request, ("after",))
    member = player_profile.player(name)
    page = player_profile.results_of(member, request.GET.get("after", ""))
    known, away = player_profile.reliability_of(member), vacations.away_until([member.pk]).get(member.pk)
    data = {
        "name": member.username,
        "address": reverse("player", args=[member.username]),
        "program": member.is_bot_account,
        "games": player_profile.counts_of(member),
        "ratings": [_rating(rated) for rated in leaderboards.ratings_of(member)],
        "in_time": known.in_time,
        "away_until": away.isoformat() if away is not None else None,
        "results": [_result(result) for result in page.results],
        "next": page.older or None,
    }
    return told(request, data)


def _rating(rated: leaderboards.Rated) -> dict[str, Any]:
    return {
        "system": rated.system,
        "players": rated.players or None,
        "points": rated.points,
        "provisional": rated.provisional,
        "games": rated.games,
        "wins": rated.wins,
    }


def _result(result: player_profile.Result) -> dict[str, Any]:
    return {
        "game": result.game.public_id,
        "system": result.game.system,
        "preset": result.game.preset,
        "rank": result.rank,
        "points": result.points,
        "players": result.players,
        "finished": moment(result.finished),
    }
