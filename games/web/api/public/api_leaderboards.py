"""Leaderboards in the API."""

import re

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from games.models import OVERALL, TEAM_GAMES
from games.models.playable_systems import playable_systems
from games.ratings import leaderboards
from games.web.api.public import api_query
from games.web.api.public.api_response import NOBODY, Problem, public, told

_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)


@public
def leaderboard(request: HttpRequest, system: str) -> HttpResponseBase:
    """Return a page of the leaderboard of a rule system, by default for any number of players."""
    api_query.check_names(request, ("players", "month", "who", "after"))
    if system not in playable_systems():
        raise Http404
    players, month = _players(request, system), _month(request)
    if players and month:
        raise Problem(_("A monthly leaderboard cannot be filtered by number of players."))
    programs = api_query.one_of(request, "who", ["members", "programs"]) == "programs"
    after = request.GET.get("after", "")
    board = leaderboards.leaderboard(system, players, month, after, NOBODY, programs=programs)
    data = {
        "system": system,
        "players": players or None,
        "month": month or None,
        "lines": [
            {
                "place": line.place,
                "name": line.user.username,
                "points": line.points,
                "games": line.games,
                "wins": line.wins,
            }
            for line in board.lines
        ],
        "computers": [
            {"level": one.level, "points": one.points, "games": one.games, "wins": round(one.wins, 2)}
            for one in ([] if month else leaderboards.levels(system, players))
        ],
        "next": board.following or None,
    }
    return told(request, data)


def _players(request: HttpRequest, system: str) -> int:
    known = (TEAM_GAMES, *playable_systems()[system].SEATS)
    text = api_query.one_of(request, "players", [str(number) for number in known])
    return int(text) if text else OVERALL


def _month(request: HttpRequest) -> str:
    text = request.GET.get("month", "")
    if text and not _MONTH.fullmatch(text):
        raise Problem(_("“month” must be a year and a month, for example 2026-11."))
    return text
