"""Views that save a planned turn and play a whole turn at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.refusals import Refusal
from games.engine.planned_turns.plan_errors import InvalidPlan, PlanView
from games.engine.planned_turns.plan_systems import PLANS
from games.models import Game
from games.play import visits
from games.play.automation import planned_turns
from games.web import refusal_response
from games.web.play.confirmation import confirm_turn
from games.web.play.table_views import table_response
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def plan(request: Request, public_id: str) -> HttpResponse:
    """Save the posted plan for the next turn of the logged-in user, or withdraw the saved one.

    A GET is redirected to the game.
    """
    found = _game(public_id)
    if request.method != "POST":
        return redirect(found)
    if "withdraw" in request.POST:
        planned_turns.withdraw_plan(game_id=found.pk, user=request.user)
        return _done(request, found, _("Your plan is cancelled."))
    record = PRESENTERS[found.system].read_plan(request.POST)
    keep = partial(planned_turns.keep_plan, game_id=found.pk, user=request.user, plan=record)
    return _refused(request, found, record, keep) or _done(request, found)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def turn(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a whole turn from entry `number` of the log on, from the seat of the logged-in user.

    A GET is redirected to the game.
    """
    found = _game(public_id)
    if request.method != "POST":
        return redirect(found)
    if (question := confirm_turn(request, found, number)) is not None:
        return question
    record = PRESENTERS[found.system].read_plan(request.POST)
    play = partial(planned_turns.play_turn, game_id=found.pk, number=number, plan=record, by=request.user)
    refused = _refused(request, found, record, play)
    if refused is None:
        visits.mark_own_move_seen(found, request.user, number)
    return refused or _done(request, found)


def _game(public_id: str) -> Game:
    """Return the started game of a rule system with plans, or raise Http404."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if found.system not in PLANS:
        raise Http404
    return found


def _done(request: Request, found: Game, notice: str = "") -> HttpResponse:
    return table_response(request, found.public_id, notice=notice) if request.htmx else redirect(found)


def _refused(
    request: Request, found: Game, record: dict[str, Any], work: Callable[[], object]
) -> HttpResponse | None:
    """Run the action; return None, or the table with the problem and the form as posted."""
    try:
        work()
    except Refusal as error:
        refused = refusal_response.refusal_context(error)
    except InvalidPlan as error:
        refused = {"problem": PRESENTERS[found.system].why_not(error, found.rules), "status": 422}
    else:
        return None
    return table_response(request, found.public_id, **refused, draft=_draft(found, record))


def _draft(found: Game, record: dict[str, Any]) -> PlanView | None:
    """Return the posted plan for correction, or None if it is malformed."""
    try:
        PLANS[found.system].plan_from_json(record)
    except InvalidPlan:
        return None
    return PlanView(record, kept=False)
