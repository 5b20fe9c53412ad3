"""Views that block and unblock a player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusals import Refusal
from games.chat.conversation import blocked_by
from games.lobby import block_list
from games.models.playable_systems import withheld_systems
from games.ratings import player_profile
from games.web.requests import Request
from games.web.text.game_titles import title


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def block(request: Request, name: str) -> HttpResponse:
    """Ask for confirmation (GET) and block a player (POST)."""
    person = player_profile.player(name)
    if person == request.user:
        raise Http404
    problem, status = "", 200
    if request.method == "POST":
        try:
            block_list.block(request.user, person)
        except Refusal as error:
            problem, status = str(error.message), error.status
        else:
            messages.success(request, _("You blocked {name}.").format(name=person))
            return redirect("player", person.username)
    waiting = block_list.waiting_together(request.user, person).exclude(system__in=withheld_systems())
    context = {"person": person, "problem": problem, "waiting": [title(game) for game in waiting]}
    return render(request, "games/lobby/block.html", context, status=status)


@require_POST
@login_required
def unblock(request: Request, name: str) -> HttpResponse:
    """Unblock a player, even one whose page is gone."""
    person = blocked_by(request.user).filter(username__iexact=name).first()
    if person is None:
        messages.info(request, _("You have not blocked {name}.").format(name=name))
    else:
        block_list.unblock(request.user, person)
        messages.success(request, _("You unblocked {name}.").format(name=person))
    return redirect(f"{reverse('settings')}#blocked")
