"""Pages about ratings and the history of a member's rating."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import OVERALL, Game, Seat
from games.models.playable_systems import playable_systems
from games.play.game_view import GameView
from games.ratings import leaderboards as kept
from games.ratings import player_profile as members
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request
from games.web.text.game_titles import title
from games.web.text.seat_names import level_name


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """Show how ratings work, and those of the bot levels."""
    levels = [
        (
            PRESENTERS[system].name(),
            [(level_name(system, one.level), one.points) for one in kept.levels(system)],
        )
        for system in playable_systems()
    ]
    return render(request, "games/ratings/ratings.html", {"levels": levels})


@require_safe
@never_cache
def history_of_rating(request: Request, name: str, system: str) -> HttpResponse:
    """Show the games behind a member's rating, the latest first."""
    member = members.player(name)
    if system not in playable_systems():
        raise Http404
    if name != member.username:
        return redirect("rating-history", member.username, system)
    asked = request.GET.get("players", "0")
    players = next((one for one in (0, *playable_systems()[system].SEATS) if str(one) == asked), None)
    if players is None:
        raise Http404
    changes, following = kept.history_of(member, system, players, request.GET.get("after", ""))
    context = {
        "member": member,
        "pool": pool_name(system, players),
        "lines": [_line(change) for change in changes],
        "following": urlencode({"players": players, "after": following}) if following else "",
    }
    return render(request, "games/ratings/rating_history.html", context)


def pool_name(system: str, players: int) -> str:
    """Return the name of a rating pool."""
    if players == OVERALL:
        name = _("all games")
    else:
        name = ngettext("{n} player", "{n} players", players).format(n=players)
    return name if len(playable_systems()) == 1 else f"{PRESENTERS[system].name()}, {name}"


def signed(points: int) -> str:
    """Return points with their sign."""
    return f"−{-points}" if points < 0 else f"+{points}"


def _line(change: kept.Change) -> dict[str, Any]:
    return {
        "url": change.game.get_absolute_url() if change.game else "",
        "title": title(change.game) if change.game else _("a private game"),
        "rank": change.rank,
        "by": signed(change.by),
        "points": change.points,
        "finished": change.finished,
    }


def of_member(member: Any) -> list[dict[str, Any]]:
    """The ratings of a member, for their profile page."""
    return [
        {
            "pool": pool_name(one.system, one.players),
            "points": one.points,
            "provisional": one.provisional,
            "games": one.games,
            "wins": one.wins,
            "url": _history_url(member, one.system, one.players),
        }
        for one in kept.ratings_of(member)
    ]


def _history_url(member: Any, system: str, players: int) -> str:
    return f"{reverse('rating-history', args=[member.username, system])}?players={players}"


def at_table(game: Game, seats: list[Seat]) -> dict[int, kept.Rated]:
    """The ratings of the seated members by their primary keys."""
    return kept.rated_among(game.system, [seat.user_id for seat in seats if seat.user_id is not None])


def made_by(look: GameView) -> list[dict[str, Any]]:
    """The rating changes made by a finished game; empty until it has been rated."""
    if not look.game.is_finished or not look.game.rated:
        return []
    names = {seat.user_id: seat.name for seat in look.seats}
    return [
        {"name": names.get(one.user_id) or _("a player who left"), "by": signed(one.by), "points": one.points}
        for one in kept.changes_by(look.game)
    ]
