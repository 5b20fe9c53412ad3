"""A game on the page: everything here is made from an observation of the viewer's own seat."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games import queries, services
from games.models import Game
from games.queries import Look
from games.rules.errors import IllegalMove, InvalidMove
from games.tables import TABLES, people

from . import refusals, rooms
from .asking import against, asking, too_often
from .confirming import asked_again
from .naming import entry, persons, title
from .requests import Request


@require_safe
@never_cache
def game(request: Request, public_id: str) -> HttpResponse:
    """The page of a game: its table, or before it is dealt the room where its players gather."""
    try:
        look = _look(request, public_id)
    except Http404:
        return rooms.page(request, public_id)
    return _page(request, look)


@require_safe
@never_cache
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table alone, for htmx; 204 when it is not newer than the version in `after`."""
    after = request.GET.get("after", "")
    newer_than = int(after) if after.isascii() and after.isdigit() and len(after) < 10 else -1
    look = queries.look(public_id, request.user, newer_than=newer_than)
    if look is None:
        return HttpResponse(status=204)
    return _partial(request, look)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def move(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a move for the entry `number` of the log, from the seat of whoever is logged in.

    Whoever only opens the address, as a page that was refused is opened again, is led to the game.
    """
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if request.method != "POST":
        return redirect(found)
    if (question := asked_again(request, found, number)) is not None:
        return question
    problem, status = _play(request, found, number)
    if not problem and "next" in request.POST:
        return _go_on(request, f"{reverse('next')}?after={public_id}")
    if not problem and not request.htmx:
        return redirect(found)
    look = _look(request, public_id)
    answer = _partial if request.htmx else _page
    return answer(request, look, problem=problem, status=status)


def _go_on(request: Request, url: str) -> HttpResponse:
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _play(request: Request, found: Game, number: int) -> tuple[str, int]:
    """Try the move; what was wrong in a sentence, if anything, and the status of the answer."""
    mine = found.seats.select_related("user").filter(user__isnull=False, user=request.user.pk)
    seat = mine.first()
    if seat is None:
        return _("You have no seat at this table, so you can only watch."), 403
    reader = TABLES[found.system]
    try:
        services.play_move(
            game_id=found.pk,
            number=number,
            seat=seat.number,
            move=reader.read_move(request.POST),
            by=seat.user,
        )
    except services.Refused as error:
        return refusals.sentence(error), refusals.status(error)
    except (IllegalMove, InvalidMove) as error:
        return reader.refusal(error, found.rules), 422
    return "", 200


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def advice(request: Request, public_id: str, number: int) -> HttpResponse:
    """Ask a computer opponent about the entry `number` of the log (POST), and hear what it says (GET, htmx).

    Whoever only opens the address is led to the game, which shows the same.
    """
    look = _look(request, public_id)
    if request.method != "POST" and not request.htmx:
        return redirect(look.game)
    error = services.Stale() if number != look.game.version + 1 else against(look)
    if error is None and request.method == "POST":
        if (answer := too_often(request, look)) is not None:
            return answer
        try:
            services.ask_advice(look.game)
        except services.NoAdviser as reason:
            error = reason
    if error is not None:
        return _no_advice(request, look, error)
    if not request.htmx:
        return redirect(look.game)
    return render(request, "games/_advice.html", {"advice": asking(look, waits=True)})


def _no_advice(request: Request, look: Look, error: services.Refused) -> HttpResponse:
    problem, status = refusals.sentence(error), refusals.status(error)
    if not request.htmx:
        return _page(request, look, problem=problem, status=status)
    if status == refusals.CONFLICT:
        # The table that comes next says more.
        return render(request, "games/_advice.html", {"problem": problem}, status=status)
    return HttpResponse(problem, status=status, content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """The whole log of a game in sentences."""
    look = _look(request, public_id, whole_log=True)
    context = TABLES[look.game.system].log_context(look.seen.rules, *_told(look))
    return render(
        request,
        "games/log.html",
        {**context, "title": title(look.game), "game_url": look.game.get_absolute_url()},
    )


@require_safe
@never_cache
def deal(request: HttpRequest, public_id: str) -> HttpResponse:
    """How the deal can be checked: its commitment, and once the game is over its seed."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    context = {
        "title": title(found),
        "game_url": found.get_absolute_url(),
        "commitment": found.commitment,
        "seed": queries.revealed_seed(found),
    }
    if context["seed"]:
        names = [str(person) for person in persons(found.seats.select_related("user"))]
        context |= TABLES[found.system].deal_context(found.rules, names, bytes.fromhex(context["seed"]))
    return render(request, "games/deal.html", context)


def _look(request: HttpRequest, public_id: str, *, whole_log: bool = False) -> Look:
    look = queries.look(public_id, request.user, whole_log=whole_log)
    if look is None:
        raise Http404
    return look


def _told(look: Look) -> tuple[Any, list[Any]]:
    seated = persons(look.seats)
    return people(seated, look.seat), [entry(move, seated) for move in look.entries]


def _partial(request: HttpRequest, look: Look, problem: str = "", status: int = 200) -> HttpResponse:
    template = TABLES[look.game.system].TEMPLATE
    return render(
        request, template, {**_context(request, look), "problem": problem, "oob": True}, status=status
    )


def _page(request: HttpRequest, look: Look, problem: str = "", status: int = 200) -> HttpResponse:
    public_id = look.game.public_id
    context = {
        **_context(request, look),
        "problem": problem,
        "title": title(look.game),
        "table_template": TABLES[look.game.system].TEMPLATE,
        "table_url": reverse("table", args=[public_id]),
        "live_url": f"/ws/games/{public_id}/",
    }
    return render(request, "games/game.html", context, status=status)


def _context(request: HttpRequest, look: Look) -> dict[str, Any]:
    public_id = look.game.public_id
    worth = () if look.game.is_running else queries.worth_by_turn(look.game)
    waiting = queries.waiting_count(request.user)
    asked = look.game.asked_id is not None and look.game.asked_id == request.user.pk
    return {
        **TABLES[look.game.system].context(look.seen, *_told(look), worth),
        "game": look.game,
        "version": look.game.version,
        "move_url": reverse("move", args=[public_id, look.game.version + 1]),
        "log_url": reverse("log", args=[public_id]),
        "deal_url": reverse("deal", args=[public_id]),
        "rules_url": reverse("game-rules", args=[public_id]),
        "deadline": look.game.deadline,
        "advice": asking(look),
        "waiting_count": waiting,
        # Whether there is another game to go to after the move.
        "others_wait": waiting > asked,
        "again_url": "" if look.seat is None or look.game.is_running else reverse("again", args=[public_id]),
    }
