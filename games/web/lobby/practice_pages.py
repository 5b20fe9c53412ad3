"""The page that starts a practice table."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.membership.guests import create_guest
from accounts.refusals import Refusal
from games.lobby import practice_table
from games.models.playable_systems import playable_systems
from games.players import limits
from games.web import refusal_response
from games.web.lobby.play_now_form import level_descriptions
from games.web.lobby.practice_form import PracticeForm
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_practice(request: Request, system: str = "") -> HttpResponse:
    """Show the form for a practice table; start it (POST), making a visitor a guest."""
    here = playable_systems()
    system = system or next(iter(here))
    if system not in here:
        raise Http404
    if request.method != "POST":
        return _page(request, PracticeForm(request.user, system))
    form = PracticeForm(request.user, system, request.POST)
    if not form.is_valid():
        return _page(request, form, 422)
    try:
        limits.check_new_games()
        host = create_guest(request)
        return redirect(practice_table.start_practice(host=host, terms=form.terms(), players=form.players()))
    except Refusal as error:
        form.add_error(None, error.message)
        return refusal_response.add_retry_after(_page(request, form, error.status), error.retry_after)


def _page(request: Request, form: PracticeForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "levels": level_descriptions(form.system),
        "games": [(system, PRESENTERS[system].name()) for system in playable_systems()],
    }
    return render(request, "games/lobby/practice.html", context, status=status)
