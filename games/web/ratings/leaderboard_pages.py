"""Leaderboard pages, by number of players and by month."""

import re
from datetime import UTC, date
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import OVERALL, TEAM_GAMES
from games.models.playable_systems import playable_systems
from games.ratings import leaderboards
from games.web.page_links import PageLink, chosen_system, systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request
from games.web.text.seat_names import level_name

_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)


@require_safe
@never_cache
def leaderboard(request: Request, system: str = "") -> HttpResponse:
    """Show members by rating and bot levels apart from them; `players` and `month` choose the ranking."""
    system = chosen_system(system)
    players, month = _players(request, system), _month(request)
    if month:
        players = OVERALL
    programs = request.GET.get("who") == "programs"
    after = request.GET.get("after", "")
    board = leaderboards.leaderboard(system, players, month, after, request.user, programs=programs)
    kept: dict[str, str | int] = {"month": month} if month else {"players": players} if players else {}
    who = {"who": "programs"} if programs else {}
    levels = [] if month else _levels(system, players)
    context: dict[str, Any] = {
        "name": PRESENTERS[system].name(),
        "systems": systems("leaderboard-of", system),
        "pools": _pools(system, players, month),
        "title": _title(players, month),
        "board": board,
        "month": month,
        "earlier": _earlier(system, month),
        "following": urlencode({**kept, **who, "after": board.following}) if board.following else "",
        "first": f"?{urlencode({**kept, **who})}" if after else "",
        "programs": programs,
        "others": "?" + urlencode(kept if programs else {**kept, "who": "programs"}),
        "levels": levels,
        "levels_have_played": any(level["share"] is not None for level in levels),
    }
    return render(request, "games/ratings/leaderboard.html", context)


def _players(request: Request, system: str) -> int:
    """Return the requested number of players, 0 for any. Raises Http404 if it is not possible."""
    asked = request.GET.get("players", "")
    if not asked:
        return OVERALL
    known = (*playable_systems()[system].SEATS, TEAM_GAMES)
    found = next((number for number in known if str(number) == asked), None)
    if found is None:
        raise Http404
    return found


def _month(request: Request) -> str:
    """Return the requested month as "2026-11", or "" for all time; "now" is the current month."""
    asked = request.GET.get("month", "")
    if asked == "now":
        return timezone.now().astimezone(UTC).strftime("%Y-%m")
    if asked and not _MONTH.fullmatch(asked):
        raise Http404
    return asked


def _pools(system: str, players: int, month: str) -> list[PageLink]:
    url = reverse("leaderboard-of", args=[system])
    every = PageLink(_("All games"), url, not players and not month)
    sizes = [
        PageLink(
            ngettext("{n} player", "{n} players", number).format(n=number),
            f"{url}?players={number}",
            number == players,
        )
        for number in playable_systems()[system].SEATS
    ]
    teams = [PageLink(_("Team games"), f"{url}?players={TEAM_GAMES}", players == TEAM_GAMES)]
    if players != TEAM_GAMES and not leaderboards.has_team_games(system):
        teams = []
    return [every, *sizes, *teams, PageLink(_("This month"), f"{url}?month=now", bool(month))]


def _title(players: int, month: str) -> str:
    if month:
        return _("Games that ended in {month}").format(month=date_format(_first_day(month), "F Y"))
    if players == TEAM_GAMES:
        return _("Team games")
    if players:
        return ngettext("Games with {n} player", "Games with {n} players", players).format(n=players)
    return _("All games")


def _first_day(month: str) -> date:
    return date.fromisoformat(f"{month}-01")


def _earlier(system: str, month: str) -> str:
    """Return the address of the previous month's leaderboard, or "" if no month is shown."""
    if not month:
        return ""
    first = _first_day(month)
    before = (
        first.replace(year=first.year - 1, month=12)
        if first.month == 1
        else first.replace(month=first.month - 1)
    )
    return f"{reverse('leaderboard-of', args=[system])}?month={before:%Y-%m}"


def _levels(system: str, players: int) -> list[dict[str, Any]]:
    return [
        {
            "name": level_name(system, one.level),
            "points": one.points,
            "games": one.games,
            "share": round(100 * one.wins / one.games) if one.games else None,
        }
        for one in leaderboards.levels(system, players)
    ]
