"""The public page of a member."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.chat.conversation import blocked_by
from games.clocks import vacations
from games.insights.decision_figures import is_public
from games.ratings import player_profile, record_lists
from games.web.lobby.game_cards import cards
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.ratings import rating_pages
from games.web.requests import Request
from games.web.text.game_titles import preset_title, title


@require_safe
@never_cache
def player(request: Request, name: str) -> HttpResponse:
    """Show the public games, results and ratings of a member; nothing private."""
    member = player_profile.player(name)
    if name != member.username:
        return redirect("player", member.username)
    page = player_profile.results_of(member, request.GET.get("after", ""))
    context = {
        "member": member,
        "counts": {**player_profile.counts_of(member), "won": record_lists.wins_of(member)},
        "ratings": rating_pages.of_member(member),
        "has_insights": is_public(member),
        "between": _between(request, member),
        "reliability": player_profile.reliability_of(member),
        "away": vacations.away_until([member.pk]).get(member.pk),
        **_acting(request, member),
        "running": cards(player_profile.running_of(member), request.user),
        "results": [_line(result) for result in page.results],
        "older": page.older,
    }
    return render(request, "games/ratings/player.html", context)


def _acting(request: Request, member: User) -> dict[str, object]:
    """Return whether the reader may act on this member, and whether they have blocked them."""
    reader = request.user
    if not reader.is_authenticated or reader.is_guest or reader == member:
        return {"may_act": False}
    return {"may_act": True, "is_blocked": blocked_by(reader).filter(pk=member.pk).exists()}


def _between(request: Request, member: User) -> list[dict[str, object]]:
    """The results of the reader against this member."""
    reader = request.user
    if not reader.is_authenticated or reader == member:
        return []
    return [
        {
            "game": PRESENTERS[one.system].name(),
            "games": one.games,
            "better": one.better,
            "worse": one.worse,
            "won": one.won,
            "lost": one.lost,
            "ahead": PRESENTERS[one.system].ahead(one.ahead),
        }
        for one in record_lists.head_to_head(reader, member)
    ]


def _line(result: player_profile.Result) -> dict[str, object]:
    return {
        "url": result.game.get_absolute_url(),
        "title": title(result.game),
        "preset": preset_title(result.game),
        "rank": _("{rank} of {players}").format(rank=result.rank, players=result.places)
        if result.rank
        else _("no result"),
        "won": result.rank == 1,
        "players": ngettext("{n} player", "{n} players", result.players).format(n=result.players),
        "score": "" if result.points is None else PRESENTERS[result.game.system].score(result.points),
        "finished": result.finished,
    }
