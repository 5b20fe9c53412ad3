"""Practice tables: several players on one device."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.services import create_guest
from accounts.services.refusals import Refusal
from games import services
from games.forms import PracticeForm, characters
from games.models.systems import playable
from games.tables import TABLES

from . import refusals
from .requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_practice(request: Request, system: str = "") -> HttpResponse:
    """The form for a practice table of a system, the first without one; a stranger becomes a guest by it."""
    here = playable()
    system = system or next(iter(here))
    if system not in here:
        raise Http404
    if request.method != "POST":
        return _page(request, PracticeForm(request.user, system))
    form = PracticeForm(request.user, system, request.POST)
    if not form.is_valid():
        return _page(request, form, 422)
    try:
        services.check_new_games()
        host = create_guest(request)
        return redirect(services.start_practice(host=host, terms=form.terms(), players=form.players()))
    except Refusal as error:
        form.add_error(None, error.message)
        return refusals.say_when(_page(request, form, error.status), error.retry_after)


def _page(request: Request, form: PracticeForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "levels": characters(form.system),
        "games": [(system, TABLES[system].name()) for system in playable()],
    }
    return render(request, "games/practice.html", context, status=status)
