"""The pages of insights: one's own, and those of a member who makes them public."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.insights.decision_figures import insights_of, is_public, set_public
from games.models.playable_systems import playable_systems
from games.ratings import player_profile
from games.web.insights.insights_tables import tables
from games.web.page_links import PageLink, chosen_system, systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def insights(request: Request, system: str = "") -> HttpResponse:
    """Show the member's own insights; POST makes them public or private."""
    if request.method == "POST":
        return _change_publicity(request)
    system = chosen_system(system)
    context = {
        **_context(request.user, system, _("You")),
        "systems": systems("insights-of", system),
        "is_own": True,
        "is_public": is_public(request.user),
    }
    return render(request, "games/insights/insights.html", context)


@require_safe
@never_cache
def player_insights(request: Request, name: str, system: str = "") -> HttpResponse:
    """Show the insights of a member who has made them public. Raises Http404 for all others."""
    member = player_profile.player(name)
    if not is_public(member):
        raise Http404
    system = chosen_system(system)
    if name != member.username:
        return redirect("player-insights", member.username)
    context = {
        **_context(member, system, member.username),
        "systems": _systems_of(member, system),
        "is_own": False,
        "is_public": True,
    }
    return render(request, "games/insights/insights.html", context)


def _change_publicity(request: Request) -> HttpResponse:
    if request.user.is_guest:
        raise Http404  # guests have no public page
    public = request.POST.get("public") == "on"
    set_public(request.user, public)
    if request.htmx:
        context = {"is_public": public, "undone": request.POST.get("undo") == "on"}
        return render(request, "games/insights/_public_saved.html", context)
    messages.success(
        request, _("Everyone can see your insights.") if public else _("Only you can see your insights.")
    )
    return redirect("insights")


def _context(member: User, system: str, own: str) -> dict[str, Any]:
    found = insights_of(member, system)
    return {
        "member": member,
        "peers": found.peers,
        "decisions": found.own.overall.count,
        "tables": tables(found, system, own) if found.own.overall.count else [],
    }


def _systems_of(member: User, system: str) -> list[PageLink]:
    found = [
        PageLink(
            PRESENTERS[one].name(), reverse("player-insights-of", args=[member.username, one]), one == system
        )
        for one in playable_systems()
    ]
    return found if len(found) > 1 else []
