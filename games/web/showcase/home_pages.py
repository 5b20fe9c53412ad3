"""The home page: the front page for strangers, and the reader's games and the lobby for everybody else."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.membership.guests import create_guest
from accounts.refusals import Refusal
from games.lobby import game_lists, game_start
from games.models.playable_systems import playable_systems
from games.players import limits
from games.web import refusal_response
from games.web.lobby.play_now_form import PlayNowForm
from games.web.requests import Request
from games.web.showcase.front_page import front_page
from games.web.showcase.member_home import lists, member_home


@require_safe
@never_cache
def home(request: Request) -> HttpResponse:
    """Show the front page to strangers, and their games and the lobby to members and guests.

    htmx gets only the lists, or 204 if they still have the hash in `seen`.
    """
    if request.htmx and not request.htmx.history_restore_request:
        context = lists(request)
        if request.GET.get("seen") == context["seen"]:
            return HttpResponse(status=204)
        return render(request, "games/lobby/_lists_update.html", context)
    return _page(request)


@require_POST
def play_now(request: Request) -> HttpResponse:
    """Start a game against bots; a visitor becomes a guest."""
    here = playable_systems()
    system = request.POST.get("system", next(iter(here)))
    if system not in here:
        raise Http404
    over = game_lists.finished_page_of(request.user, size=game_lists.FEW).games
    form = PlayNowForm(system, request.POST, is_newcomer=game_lists.is_newcomer(over))
    if not form.is_valid():
        return _page(request, form, status=422)
    chosen = form.cleaned_data
    try:
        limits.check_new_games()
        host = create_guest(request)
        game = game_start.start_game(
            system=system,
            preset=chosen["preset"],
            host=host,
            players=[host, *[chosen["level"]] * chosen["opponents"]],
        )
    except Refusal as error:
        form.add_error(None, error.message)
        return refusal_response.add_retry_after(_page(request, form, status=error.status), error.retry_after)
    return redirect(game)


def _page(request: Request, sent: PlayNowForm | None = None, status: int = 200) -> HttpResponse:
    show = member_home if request.user.is_authenticated else front_page
    return show(request, sent, status)
