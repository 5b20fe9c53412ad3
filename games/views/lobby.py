"""The lobby: play now, and the lists of games; each list also has pages of its own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import ModuleType
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.services import create_guest
from accounts.services.refusals import Refusal
from games import queries, services
from games.forms import FilterForm, NewGameForm, PlayNowForm, characters
from games.models import Game
from games.models.systems import playable
from games.queries import Page
from games.tables import TABLES, Card

from . import refusals
from .choosing import Choice
from .naming import card
from .requests import Request


@require_safe
@never_cache
def home(request: Request) -> HttpResponse:
    """Play now, the games of whoever looks, and those that everybody may join or watch.

    For htmx the lists alone; 204 when they are as the page shows them, which says so in `seen`.
    """
    if request.htmx and not request.htmx.history_restore_request:
        context = _lists(request)
        if request.GET.get("seen") == context["seen"]:
            return HttpResponse(status=204)
        return render(request, "games/_lists_swapped.html", context)
    return _page(request)


@require_POST
def play_now(request: Request) -> HttpResponse:
    """Start a game against computers; a stranger becomes a guest for it."""
    here = playable()
    system = request.POST.get("system", next(iter(here)))
    if system not in here:
        raise Http404
    form = PlayNowForm(system, request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    chosen = form.cleaned_data
    try:
        services.check_new_games()
        host = create_guest(request)
        game = services.start_game(
            system=system,
            preset=chosen["preset"],
            host=host,
            players=[host, *[chosen["level"]] * chosen["opponents"]],
        )
    except Refusal as error:
        form.add_error(None, error.message)
        return refusals.say_when(_page(request, form, status=error.status), error.retry_after)
    return redirect(game)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new_game(request: Request, system: str = "") -> HttpResponse:
    """The form for a new game of a system, the first without one, as the user filled it in last."""
    here = playable()
    system = system or next(iter(here))
    if system not in here:
        raise Http404
    if request.method != "POST":
        form = NewGameForm(request.user, system, last=queries.last_choices(request.user))
        return _new_game(request, form)
    form = NewGameForm(request.user, system, request.POST)
    status = 422
    if form.is_valid():
        try:
            game = services.create_game(host=request.user, terms=form.terms())
        except Refusal as error:
            form.add_error(None, error.message)
            status = error.status
        else:
            services.remember_choices(request.user, form.remembered())
            return redirect(game)
    return _new_game(request, form, status)


def _new_game(request: Request, form: NewGameForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "levels": characters(form.system),
        "name": TABLES[form.system].name(),
        "games": [(system, TABLES[system].name()) for system in playable()],
    }
    return render(request, "games/new.html", context, status=status)


@require_safe
@never_cache
def next_game(request: Request) -> HttpResponse:
    """To the game with the soonest deadline among those that wait for the reader, or to the lobby."""
    game = queries.next_game(request.user, request.GET.get("after", ""))
    if game is not None:
        return redirect(game)
    if request.user.is_authenticated:
        messages.info(request, _("No game waits for you now."))
    return redirect("home")


@require_safe
@never_cache
def waiting(request: Request) -> HttpResponse:
    """How many games wait for the reader, for the header of every page."""
    return render(request, "_waiting_count.html", {"after": request.GET.get("after", "")})


# -- Pages of single lists -----------------------------------------------------------------------------


@require_safe
@never_cache
def open_games(request: Request) -> HttpResponse:
    """All open games that pass the filter."""
    form = FilterForm(request.GET)
    page = queries.open_page(request.user, form.wanted(), request.GET.get("after", ""))
    return _list(request, _("Open seats"), page, filters=form)


@require_safe
@never_cache
def running_games(request: Request) -> HttpResponse:
    """All games to watch."""
    page = queries.running_page(request.user, request.GET.get("after", ""))
    return _list(request, _("Games to watch"), page)


@require_safe
@never_cache
def finished_games(request: Request) -> HttpResponse:
    """All public games that are over."""
    page = queries.finished_page(request.GET.get("after", ""))
    return _list(request, _("Finished games"), page, choices=_histories(request))


@require_safe
@never_cache
@login_required
def my_finished_games(request: Request) -> HttpResponse:
    """The reader's own games that are over."""
    page = queries.finished_page_of(request.user, request.GET.get("after", ""))
    import_url = "" if request.user.is_guest else reverse("import-game")
    choices = _histories(request)
    return _list(request, _("Your finished games"), page, choices=choices, import_url=import_url)


def _histories(request: Request) -> list[Choice]:
    """The lists of what is over: those of everybody, those of the reader, and what was best in them."""
    found = [(_("Everybody’s"), "finished-games"), (_("Yours"), "my-finished-games")]
    if not request.user.is_authenticated:
        found = found[:1]
    choices = [Choice(name, reverse(route), reverse(route) == request.path) for name, route in found]
    return [*choices, Choice(_("Records and openings"), reverse("records"), False)]


def _list(
    request: Request,
    title: str,
    page: Page,
    filters: FilterForm | None = None,
    choices: Sequence[Choice] = (),
    import_url: str = "",
) -> HttpResponse:
    queries.with_seats(page.games)
    context = {
        "title": title,
        "cards": _cards(page.games, request.user),
        "following": _following(request, page),
        "filters": filters,
        "choices": choices,
        "first": "after" not in request.GET,
        "import_url": import_url,
    }
    return render(request, "games/list.html", context)


def _following(request: HttpRequest, page: Page) -> str:
    """The query of the next page with the same filter, "" at the end."""
    if not page.following:
        return ""
    kept = [(name, value) for name, value in request.GET.dict().items() if name not in ("after", "seen")]
    return urlencode([*kept, ("after", page.following)])


# -- The lobby itself ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """How to begin a game of one system at once: the form, and what is said beside it."""

    system: str
    table: ModuleType
    form: PlayNowForm
    levels: list[tuple[str, str]]


def _page(request: Request, sent: PlayNowForm | None = None, status: int = 200) -> HttpResponse:
    """The lobby; `sent` is the form that was filled in, if any."""
    forms = [sent if sent and sent.system == system else PlayNowForm(system) for system in playable()]
    context = {
        "starts": [Start(form.system, TABLES[form.system], form, characters(form.system)) for form in forms],
        "puzzle": queries.puzzle_of_today(request.user),
        **_lists(request),
    }
    return render(request, "games/home.html", context, status=status)


def _lists(request: Request) -> dict[str, Any]:
    """The lists as they are drawn, and a stamp of how they look: equal stamps, equal lists."""
    filters = FilterForm(request.GET)
    found = queries.lobby(request.user, filters.wanted())
    context = {
        "filters": filters,
        "invited": _cards(found.invited, request.user),
        "waiting": _cards(found.waiting, request.user),
        "others": _cards(found.others, request.user),
        "practice": _cards(found.practice, request.user),
        "open": _cards(found.open.games, request.user),
        "vacant": _cards(found.vacant, request.user),
        "more_open": _following(request, found.open),
        "running": _cards(found.running.games, request.user),
        "more_running": bool(found.running.following),
        "finished": _cards(found.finished.games, request.user),
        "more_finished": bool(found.finished.following),
        "waiting_count": len(found.waiting),
        "paused_count": found.paused,
    }
    lists = render_to_string("games/_lists.html", context, request)
    return {**context, "lists": lists, "seen": sha256(lists.encode()).hexdigest()[:16]}


def _cards(games: Iterable[Game], reader: Any) -> list[Card]:
    return [card(game, reader) for game in games]
