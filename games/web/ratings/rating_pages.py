"""Pages about ratings and the history of a member's rating."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.log.rulings import Ruling
from games.models import OVERALL, TEAM_GAMES, RatingCorrection
from games.models.playable_systems import playable_systems
from games.play.game_view import GameView
from games.ratings import leaderboards as kept
from games.ratings import player_profile as members
from games.ratings.rated_places import Loss, uncounted
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request
from games.web.text.game_titles import title, title_for
from games.web.text.rating_text import WHY_UNCOUNTED, signed
from games.web.text.seat_names import level_name

Reason = RatingCorrection.Reason


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
    known = (OVERALL, TEAM_GAMES, *playable_systems()[system].SEATS)
    players = next((one for one in known if str(one) == asked), None)
    if players is None:
        raise Http404
    changes, following = kept.history_of(member, system, players, request.GET.get("after", ""))
    context = {
        "member": member,
        "pool": pool_name(system, players),
        "lines": [
            _correction_line(one) if isinstance(one, kept.Correction) else _line(one, member)
            for one in changes
        ],
        "following": urlencode({"players": players, "after": following}) if following else "",
    }
    return render(request, "games/ratings/rating_history.html", context)


def pool_name(system: str, players: int) -> str:
    """Return the name of a rating pool."""
    if players == OVERALL:
        name = _("All games")
    elif players == TEAM_GAMES:
        name = _("Team games")
    else:
        name = ngettext("{n} player", "{n} players", players).format(n=players)
    return name if len(playable_systems()) == 1 else f"{PRESENTERS[system].name()}, {name}"


def _line(change: kept.Change, member: User) -> dict[str, Any]:
    return {
        "url": change.game.get_absolute_url() if change.game else "",
        "title": title_for(change.game, member) if change.game else _("a private game"),
        "why": _why(change),
        "by": signed(change.by),
        "before": change.before,
        "points": change.points,
        "at": change.finished,
    }


def _correction_line(one: kept.Correction) -> dict[str, Any]:
    return {
        "url": one.game.get_absolute_url() if one.game else "",
        "title": title(one.game) if one.game else "",
        "why": str(_CORRECTIONS[one.reason]),
        "by": "" if one.points is None else signed(one.points - one.before),
        "before": one.before,
        "points": _("none") if one.points is None else one.points,
        "at": one.at,
    }


def _why(change: kept.Change) -> str:
    """Return in words why a game has changed a rating."""
    if change.loss:
        return str(_LOSSES[change.loss])
    if change.rank == 1:
        return _("shared first place") if change.tied else _("won")
    place = str(_PLACES[change.rank])
    return _("tied for {place}").format(place=place) if change.tied else place


_PLACES: Final = {
    2: gettext_lazy("second"),
    3: gettext_lazy("third"),
    4: gettext_lazy("fourth"),
    5: gettext_lazy("fifth"),
    6: gettext_lazy("sixth"),
}

_LOSSES: Final = {
    Loss.CONCEDED: gettext_lazy("conceded"),
    Loss.ENDED_ALONE: gettext_lazy("ended the game alone, which counts as conceding"),
    Loss.BOT_PLAYED: gettext_lazy("was away, and a computer player finished the game"),
    Loss.SEAT_LOST: gettext_lazy("lost the seat to another member"),
}

_CORRECTIONS: Final = {
    Reason.LATE: gettext_lazy("This game was counted late, so later games were counted again."),
    Reason.UNCOUNTED: gettext_lazy("This game no longer counts, so later games were counted again."),
    Reason.CHANGED: gettext_lazy("The result of this game changed, so later games were counted again."),
    Reason.METHOD: gettext_lazy("We changed how ratings are calculated. All games were counted again."),
    Reason.RECOUNT: gettext_lazy("All games were counted again."),
}


@dataclass(frozen=True)
class GameRatings:
    """The rating changes by a finished game, or in a sentence why there are none."""

    lines: list[dict[str, Any]]
    note: str = ""


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


def made_by(look: GameView, user: Any) -> GameRatings | None:
    """The rating changes made by a finished game, or why it makes none; None until it has been rated.

    A user who has lost the seat still finds their own change.
    """
    game = look.game
    if not game.is_finished or game.is_practice:
        return None
    if not game.rated:
        is_ruled = any(entry.text == str(Ruling("unrates")) for entry in look.entries)
        told = _("No ratings changed because a moderator made the game unrated.")
        return GameRatings([], told) if is_ruled else None
    names = {seat.user_id: seat.name for seat in look.seats}
    if user.is_authenticated:
        names[user.pk] = user.get_short_name()
    lines = [
        {
            "name": names.get(one.user_id) or _("a player who left"),
            "me": user.is_authenticated and one.user_id == user.pk,
            "gained": one.by > 0,
            "why": _why(one),
            "by": signed(one.by),
            "before": one.before,
            "points": one.points,
        }
        for one in kept.changes_by(game)
    ]
    if lines:
        return GameRatings(lines)
    why = uncounted(game, look.seats)
    return GameRatings([], str(WHY_UNCOUNTED[why])) if why else None
