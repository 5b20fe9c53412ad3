"""Planning a turn at the table, and sending a whole one at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.services.refusals import Refusal
from games import services
from games.models import Game
from games.plans import PLANS, InvalidPlan, Planned
from games.tables import TABLES

from . import refusals
from .confirming import turn_asked_again
from .requests import Request
from .table import shown


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def plan(request: Request, public_id: str) -> HttpResponse:
    """Keep the posted plan for the next turn of whoever is logged in, or withdraw the one that is kept.

    Whoever only opens the address is led to the game.
    """
    found = _game(public_id)
    if request.method != "POST":
        return redirect(found)
    if "withdraw" in request.POST:
        services.withdraw_plan(game_id=found.pk, user=request.user)
        return _done(request, found, _("Your plan is withdrawn."))
    record = TABLES[found.system].read_plan(request.POST)
    keep = partial(services.keep_plan, game_id=found.pk, user=request.user, plan=record)
    return _refused(request, found, record, keep) or _done(request, found)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def turn(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a whole turn from the entry `number` of the log on, from the seat of whoever is logged in.

    Whoever only opens the address is led to the game.
    """
    found = _game(public_id)
    if request.method != "POST":
        return redirect(found)
    if (question := turn_asked_again(request, found, number)) is not None:
        return question
    record = TABLES[found.system].read_plan(request.POST)
    play = partial(services.play_turn, game_id=found.pk, number=number, plan=record, by=request.user)
    refused = _refused(request, found, record, play)
    if refused is None:
        services.has_moved(found, request.user, number)
    return refused or _done(request, found)


def _game(public_id: str) -> Game:
    """The game, if it is dealt and of a system with plans; else Http404."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if found.system not in PLANS:
        raise Http404
    return found


def _done(request: Request, found: Game, notice: str = "") -> HttpResponse:
    return shown(request, found.public_id, notice=notice) if request.htmx else redirect(found)


def _refused(
    request: Request, found: Game, record: dict[str, Any], work: Callable[[], object]
) -> HttpResponse | None:
    """Do what a form asks for; None, or the table with what was wrong and the form as it was sent."""
    try:
        work()
    except Refusal as error:
        refused = refusals.told(error)
    except InvalidPlan as error:
        refused = {"problem": TABLES[found.system].why_not(error, found.rules), "status": 422}
    else:
        return None
    return shown(request, found.public_id, **refused, draft=_draft(found, record))


def _draft(found: Game, record: dict[str, Any]) -> Planned | None:
    """What was sent, to be corrected; None when it makes no sense at all."""
    try:
        PLANS[found.system].plan_from_json(record)
    except InvalidPlan:
        return None
    return Planned(record, kept=False)
