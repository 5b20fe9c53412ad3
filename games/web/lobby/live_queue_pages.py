"""The page that finds a live game: its form, and the wait in the queue."""

from hashlib import sha256
from typing import Any

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.refusals import Refusal
from games.lobby import live_queue as queue
from games.models import QueuedPlayer
from games.play.deadlines.outages import is_read_only
from games.web import refusal_response
from games.web.lobby.live_queue_form import LiveQueueForm, OfferForm
from games.web.lobby.play_now_form import level_descriptions
from games.web.requests import Request
from games.web.text.game_titles import title


@require_safe
@never_cache
@login_required
def live_queue(request: Request) -> HttpResponse:
    """Show the form, or the reader’s wait; htmx gets the part that changes.

    A member who has a game is redirected to it.
    """
    if not is_read_only():
        queue.note_seen(request.user)
    if not request.htmx or request.htmx.history_restore_request:
        return _page(request)
    game = queue.current_game(request.user)
    if game is not None:
        return HttpResponseClientRedirect(game.get_absolute_url())
    context = _standing(request)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "games/lobby/_live_queue_update.html", context)


@require_POST
@login_required
def enter(request: Request) -> HttpResponse:
    """Enter the queue, or change the wish."""
    last = _queued(request)
    form = LiveQueueForm(request.POST, last=last)
    if not form.is_valid():
        return _page(request, form, status=422)
    if not ratelimit.consume(request, action="find-live"):
        return _too_fast(request, form)
    try:
        queue.enter(user=request.user, level=last.level if last else "", **form.wish())
    except Refusal as error:
        return _refused(request, error, form)
    return _matched(request)


@require_POST
@login_required
def leave(request: Request) -> HttpResponse:
    """Leave the queue."""
    try:
        queue.leave(user=request.user)
    except Refusal as error:
        return _refused(request, error)
    return redirect("live-queue")


@require_POST
@login_required
def answer_offer(request: Request) -> HttpResponse:
    """Accept computer players for the open seats, or wait on."""
    form = OfferForm(request.POST, system=queue.system())
    if not ratelimit.consume(request, action="find-live"):
        return _too_fast(request)
    try:
        queue.answer_offer(user=request.user, level=form.cleaned_data["level"] if form.is_valid() else "")
    except Refusal as error:
        return _refused(request, error)
    return _matched(request)


def _matched(request: Request) -> HttpResponse:
    """Match the members who wait, and redirect to the game, or back to the page."""
    queue.match()
    return redirect(queue.current_game(request.user) or "live-queue")


def _refused(request: Request, error: Refusal, form: LiveQueueForm | None = None) -> HttpResponse:
    page = _page(request, form, problem=str(error.message), status=error.status)
    return refusal_response.add_retry_after(page, error.retry_after)


def _too_fast(request: Request, form: LiveQueueForm | None = None) -> HttpResponse:
    problem = _("You are changing what you wait for too fast. Wait a minute.")
    return refusal_response.add_retry_after(_page(request, form, problem=problem, status=429), 60)


def _queued(request: Request) -> QueuedPlayer | None:
    return QueuedPlayer.objects.filter(user=request.user).first()


def _page(
    request: Request, form: LiveQueueForm | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    game, standing = queue.current_game(request.user), _standing(request)
    if not problem and not standing["queued"] and (reason := queue.reason_against(request.user)):
        problem = str(reason.message)
    context = {
        **standing,
        "form": form or LiveQueueForm(last=_queued(request)),
        "problem": problem,
        "current": game,
        "current_title": "" if game is None else title(game),
    }
    return render(request, "games/lobby/live_queue.html", context, status=status)


def _standing(request: Request) -> dict[str, Any]:
    """The reader’s wait, if any, with the number of others, and the hash of that part as drawn."""
    queued = _queued(request)
    waits = queued is not None and queued.since is not None
    context: dict[str, Any] = {"queued": queued if waits else None}
    if queued is not None and waits:
        offered = queued.offer_at is not None and queued.offer_at <= timezone.now()
        context |= {
            "others": queue.number_waiting(queued),
            "is_offered": offered and queued.accepted_at is None,
            "offer": OfferForm(system=queue.system(), last=queued.level),
            "levels": level_descriptions(queue.system()),
        }
    drawn = render_to_string("games/lobby/_live_queue.html", context, request)
    return {**context, "drawn": drawn, "seen": sha256(drawn.encode()).hexdigest()[:16]}
