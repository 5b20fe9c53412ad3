"""A game on the page: everything here is made from an observation of the viewer's own seat."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.services.refusals import Refusal
from games import queries, services
from games.models import Game, Seat
from games.plans import PLANS, Planned
from games.queries import Look
from games.rules.errors import IllegalMove, InvalidMove
from games.services.errors import NoAdviser, Stale
from games.tables import TABLES, people

from . import noting, pauses, refusals, rooms, talking
from .absences import absences
from .asking import against, asking, too_often
from .confirming import asked_again
from .covering import covering, opened
from .exploring import explore_url
from .naming import persons, title
from .offers import again_url, back_part, plan_urls
from .ordering import orders_part
from .pictures import preview
from .proposed import ending_url, proposed
from .ratings import made_by
from .reporting import report_url
from .requests import Request
from .telling import told


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
    hand = opened(request, public_id)
    look = queries.look(public_id, request.user, newer_than=newer_than, opened=hand)
    if look is None:
        _looks_on(request, public_id)
        return HttpResponse(status=204)
    return _partial(request, look)


def _looks_on(request: HttpRequest, public_id: str) -> None:
    """Note that the reader still has before the eyes, or again, what the page shows."""
    found = Game.objects.filter(public_id=public_id).values_list("pk", "version").first()
    if found and request.user.is_authenticated and not _is_away(request):
        services.look_at(found[0], request.user, found[1])


def _is_away(request: HttpRequest) -> bool:
    """Whether the page follows the game while nobody sees it."""
    return "away" in request.GET


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def move(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a move for the entry `number` of the log, from the seat of whoever is logged in.

    Whoever only opens the address, as a page that was refused is opened again, is led to the game.
    """
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if request.method != "POST":
        return redirect(found)
    hand = opened(request, public_id)
    seat = services.seat_of(found, list(found.seats.all()), request.user, hand, entry=number)
    if seat is not None and (question := asked_again(request, found, number)) is not None:
        return question
    refused = _play(request, found, number, seat)
    if not refused and "next" in request.POST:
        return _go_on(request, f"{reverse('next')}?after={public_id}")
    if not refused and not request.htmx:
        return redirect(found)
    return shown(request, public_id, **refused)


def shown(request: Request, public_id: str, *, status: int = 200, wait: int = 0, **more: Any) -> HttpResponse:
    """The answer to a form of the table: the table as it is now, with the whole page around it or for htmx.

    `wait` is after how many seconds to come back, if that is known. `more` are a `problem` and a `notice`
    (sentences), and a `draft`, a plan that was not kept.
    """
    answer = _partial if request.htmx else _page
    return refusals.say_when(answer(request, _look(request, public_id), status=status, **more), wait)


def _go_on(request: Request, url: str) -> HttpResponse:
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _play(request: Request, found: Game, number: int, seat: Seat | None) -> dict[str, Any]:
    """Try the move; what `shown` is told when it is refused, nothing when it was made."""
    if seat is None and (covered := services.reason_against_acting(found, request.user)):
        return refusals.told(covered)
    if seat is None:
        return {"problem": _("You have no seat at this table, so you can only watch."), "status": 403}
    reader = TABLES[found.system]
    try:
        services.play_move(
            game_id=found.pk,
            number=number,
            seat=seat.number,
            text=reader.read_move(request.POST),
            by=request.user,
        )
    except Refusal as error:
        return refusals.told(error)
    except (IllegalMove, InvalidMove) as error:
        return {"problem": reader.refusal(error, found.rules), "status": 422}
    services.has_moved(found, request.user, number)
    return {}


@require_POST
@never_cache
@login_required
def back(request: Request, public_id: str, number: int) -> HttpResponse:
    """Take back the steps behind the posted entry `to`, by the ruling for the entry `number` of the log."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    posted, problem, status = request.POST.get("to", "")[:9], "", 200
    try:
        if not (posted.isascii() and posted.isdigit()):
            problem, status = _("Say up to where you take your turn back."), 422
        else:
            hand = opened(request, public_id)
            services.take_back(game_id=found.pk, number=number, to=int(posted), by=request.user, opened=hand)
    except Refusal as error:
        problem, status = str(error.message), error.status
    if not problem and not request.htmx:
        return redirect(found)
    return shown(request, public_id, problem=problem, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def advice(request: Request, public_id: str, number: int) -> HttpResponse:
    """Ask a computer opponent about the entry `number` of the log (POST), and hear what it says (GET, htmx).

    Whoever only opens the address is led to the game, which shows the same.
    """
    look = _look(request, public_id)
    if request.method != "POST" and not request.htmx:
        return redirect(look.game)
    error = Stale() if number != look.game.version + 1 else against(look)
    if error is None and request.method == "POST":
        if (answer := too_often(request, look)) is not None:
            return answer
        try:
            services.ask_advice(look.game)
        except NoAdviser as reason:
            error = reason
    if error is not None:
        return _no_advice(request, look, error)
    if not request.htmx:
        return redirect(look.game)
    return render(request, "games/_advice.html", {"advice": asking(look, waits=True)})


def _no_advice(request: Request, look: Look, error: Refusal) -> HttpResponse:
    problem, status = str(error.message), error.status
    if not request.htmx:
        return _page(request, look, problem=problem, status=status)
    if status == 409:
        # The table that comes next says more.
        return render(request, "games/_advice.html", {"problem": problem}, status=status)
    return HttpResponse(problem, status=status, content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """The whole log of a game in sentences."""
    look = _look(request, public_id, whole_log=True)
    context = TABLES[look.game.system].log_context(look.seen.rules, *_told(look, _since(request, look)))
    return render(
        request,
        "games/log.html",
        {
            **context,
            "title": title(look.game),
            "game_url": look.game.get_absolute_url(),
            "log_of": look.game.public_id,
            "game": look.game,
        },
    )


@require_safe
@never_cache
def deal(request: HttpRequest, public_id: str) -> HttpResponse:
    """How the deal can be checked: its commitment, and once the game is over its seed.

    With `check` the site checks all that can be checked of a game that is over, and says what it found.
    """
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    context = {
        "title": title(found),
        "game_url": found.get_absolute_url(),
        "commitment": found.commitment,
        "seed": queries.revealed_seed(found),
        "chance": TABLES[found.system].chance(),
    }
    if context["seed"]:
        names = [str(person) for person in persons(found.seats.select_related("user"))]
        context |= TABLES[found.system].deal_context(found.rules, names, bytes.fromhex(context["seed"]))
        context["checked"] = queries.check_deal(found) if "check" in request.GET else None
    return render(request, "games/deal.html", context)


def _look(request: HttpRequest, public_id: str, *, whole_log: bool = False) -> Look:
    hand = opened(request, public_id)
    look = queries.look(public_id, request.user, whole_log=whole_log, opened=hand)
    if look is None:
        raise Http404
    return look


def _since(request: HttpRequest, look: Look) -> int:
    """The entry of the log up to which the reader had seen all when this visit began."""
    return services.look_at(look.game.pk, request.user, look.game.version, away=_is_away(request))


def _told(look: Look, since: int) -> tuple[Any, list[Any]]:
    return people(persons(look.seats), look.seat), told(look, look.entries, since)


def _partial(request: HttpRequest, look: Look, status: int = 200, **more: Any) -> HttpResponse:
    template = TABLES[look.game.system].TEMPLATE
    return render(request, template, {**_context(request, look, **more), "oob": True}, status=status)


def _page(request: Request, look: Look, status: int = 200, **more: Any) -> HttpResponse:
    public_id = look.game.public_id
    context = {
        **_context(request, look, **more),
        **preview(look),
        "title": title(look.game),
        "table_template": TABLES[look.game.system].TEMPLATE,
        "stylesheet": TABLES[look.game.system].STYLESHEET,
        "table_url": reverse("table", args=[public_id]),
        "live_url": f"/ws/games/{public_id}/",
        "talk": talking.panel(request, look.game),
        "notes": noting.sheet(request, look.game),
    }
    return render(request, "games/game.html", context, status=status)


def _context(
    request: HttpRequest, look: Look, draft: Planned | None = None, **sentences: str
) -> dict[str, Any]:
    public_id = look.game.public_id
    worth = () if look.game.is_running else queries.worth_by_turn(look.game)
    waiting = getattr(look.game, "waiting", 0)
    asked = look.game.asked_id is not None and look.game.asked_id == request.user.pk
    asked = asked and look.game.paused is None
    shown = TABLES[look.game.system].context(
        look.seen, *_told(look, _since(request, look)), worth, **_plans(look, draft)
    )
    return {
        **sentences,
        **shown,
        **plan_urls(look),
        "game": look.game,
        "version": look.game.version,
        "move_url": reverse("move", args=[public_id, look.game.version + 1]),
        "back": back_part(look),
        "proposed": proposed(look),
        "ending_url": ending_url(look),
        "explore_url": explore_url(look, request.user),
        "log_of": public_id,
        "story_url": reverse("story", args=[public_id]) if look.game.is_finished else "",
        "log_url": reverse("log", args=[public_id]),
        "deal_url": reverse("deal", args=[public_id]),
        "report_url": report_url(request, look.game),
        "rules_url": reverse("game-rules", args=[public_id]),
        "deadline": look.game.deadline,
        "stopped": look.game.remaining is not None,
        "advice": asking(look),
        "orders": orders_part(look),
        "absences": absences(look, request.user),
        "waiting_count": waiting,
        # Whether there is another game to go to after the move.
        "others_wait": waiting > asked,
        "again_url": again_url(look),
        "rating_changes": made_by(look),
        **covering(look, shown["headline"]),
        **pauses.resting(look),
    }


def _plans(look: Look, draft: Planned | None) -> dict[str, Planned | None]:
    """The reader's plan, for the table of a system with plans."""
    return {"planned": draft or queries.planned(look)} if look.game.system in PLANS else {}
