"""Pages of single lists, and the form for a new game."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.refusals import Refusal
from games.lobby import game_lists, game_start, remembered_choices, waiting_room
from games.lobby.challenge import challenge
from games.lobby.game_lists import Page
from games.models import Game
from games.models.playable_systems import playable_systems
from games.ratings import player_profile
from games.web.lobby.game_cards import cards
from games.web.lobby.lobby_forms import FilterForm
from games.web.lobby.new_game_form import NewGameForm
from games.web.lobby.new_game_summary import summary
from games.web.lobby.play_now_form import level_descriptions
from games.web.page_links import PageLink
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request

# The defaults of a challenge: a game for two, to which only the challenged member is invited.
_FOR_TWO: Final = {"visibility": Game.Visibility.INVITED, "least": "2", "most": "2"}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new_game(request: Request, system: str = "") -> HttpResponse:
    """Show the form for a new game, filled in as last time; create the game (POST).

    With `with` in the address it challenges the member of this name, who is invited at once.
    """
    here = playable_systems()
    member = player_profile.player(name) if (name := request.GET.get("with", "")) else None
    last = waiting_room.last_choices(request.user)
    if member is not None:
        system = system or last.get("system", "")
    system = system or next(iter(here))
    if system not in here:
        raise Http404
    if request.method != "POST":
        shown = last if member is None else _besides_people(last) | _FOR_TWO
        return _new_game(request, NewGameForm(request.user, system, last=shown), member)
    form = NewGameForm(request.user, system, request.POST)
    status = 422
    if form.is_valid():
        try:
            if member is None:
                game = game_start.create_game(host=request.user, terms=form.terms())
            else:
                game = challenge(member=member, host=request.user, terms=form.terms())
        except Refusal as error:
            form.add_error(None, error.message)
            status = error.status
        else:
            remembered_choices.remember_choices(request.user, _remembered(form, member, last))
            return redirect(game)
    return _new_game(request, form, member, status)


@require_safe
@never_cache
@login_required
def new_game_summary(request: Request, system: str) -> HttpResponse:
    """Return what the choices of the form amount to, in one line. Creates nothing."""
    if system not in playable_systems():
        raise Http404
    form = NewGameForm(request.user, system, request.GET)
    return render(request, "games/lobby/_new_summary.html", {"summary": summary(request.user, form)})


def _besides_people(choices: dict[str, Any]) -> dict[str, Any]:
    """These choices without those of who plays."""
    return {
        name: value
        for name, value in choices.items()
        if name not in ("fill", *_FOR_TWO) and not name.startswith("seat_")
    }


def _remembered(form: NewGameForm, member: User | None, last: dict[str, Any]) -> dict[str, Any]:
    """The choices to show next time; a challenge says nothing about who plays in the next game."""
    chosen = form.remembered()
    if member is None:
        return chosen
    rest = _besides_people(last)
    return _besides_people(chosen) | {name: value for name, value in last.items() if name not in rest}


def _new_game(
    request: Request, form: NewGameForm, member: User | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "challenged": member,
        "form": form,
        "levels": level_descriptions(form.system),
        "summary": summary(request.user, form),
        "name": PRESENTERS[form.system].name(),
        "games": [(system, PRESENTERS[system].name()) for system in playable_systems()],
    }
    return render(request, "games/lobby/new.html", context, status=status)


@require_safe
@never_cache
def next_game(request: Request) -> HttpResponse:
    """Redirect to the game with the soonest deadline that waits for the reader, or to the lobby."""
    game = game_lists.next_game(request.user, request.GET.get("after", ""))
    if game is not None:
        return redirect(game)
    if request.user.is_authenticated:
        messages.info(request, _("No game is waiting for you."))
    return redirect("home")


@require_safe
@never_cache
def waiting(request: Request) -> HttpResponse:
    """Show the number of games that wait for the reader, besides the one `after`, for the header."""
    after = request.GET.get("after", "")
    context = {"after": after, "number": game_lists.waiting_count(request.user, besides=after)}
    return render(request, "games/lobby/_waiting_count.html", context)


# -- Pages of single lists -----------------------------------------------------------------------------


@require_safe
@never_cache
def open_games(request: Request) -> HttpResponse:
    """List the open games that pass the filter."""
    form = FilterForm(request.GET)
    page = game_lists.open_page(request.user, form.wanted(), request.GET.get("after", ""))
    return _list(request, _("Open games"), page, filters=form)


@require_safe
@never_cache
def running_games(request: Request) -> HttpResponse:
    """List the games to watch."""
    page = game_lists.running_page(request.user, request.GET.get("after", ""))
    return _list(request, _("Games to watch"), page)


@require_safe
@never_cache
def finished_games(request: Request) -> HttpResponse:
    """List the finished public games."""
    page = game_lists.finished_page(request.GET.get("after", ""))
    return _list(request, _("Finished games"), page, choices=_histories(request))


@require_safe
@never_cache
@login_required
def my_finished_games(request: Request) -> HttpResponse:
    """List the reader's finished games."""
    page = game_lists.finished_page_of(request.user, request.GET.get("after", ""))
    import_url = "" if request.user.is_guest else reverse("import-game")
    return _list(
        request,
        _("Your finished games"),
        page,
        choices=_histories(request),
        import_url=import_url,
        empty=_("You have not finished a game yet."),
    )


def _histories(request: Request) -> list[PageLink]:
    """Links between the lists of finished games and the records."""
    found = [(_("Yours"), "my-finished-games"), (_("Everyone’s"), "finished-games")]
    if not request.user.is_authenticated:
        found = found[1:]
    choices = [PageLink(name, reverse(route), reverse(route) == request.path) for name, route in found]
    return [*choices, PageLink(_("Records and openings"), reverse("records"), False)]


def _list(
    request: Request,
    title: str,
    page: Page,
    filters: FilterForm | None = None,
    choices: Sequence[PageLink] = (),
    import_url: str = "",
    empty: str = "",
) -> HttpResponse:
    game_lists.with_seats(page.games)
    context = {
        "title": title,
        "cards": cards(page.games, request.user),
        "following": following_query(request, page),
        "filters": filters,
        "choices": choices,
        "first": "after" not in request.GET,
        "import_url": import_url,
        "empty": empty or _("No games here right now."),
    }
    return render(request, "games/lobby/list.html", context)


def following_query(request: HttpRequest, page: Page) -> str:
    """Return the query string of the next page with the same filter, or "" on the last."""
    if not page.following:
        return ""
    kept = [(name, value) for name, value in request.GET.dict().items() if name not in ("after", "seen")]
    return urlencode([*kept, ("after", page.following)])
