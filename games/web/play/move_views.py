"""Views that play a move and take moves back."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusals import Refusal
from accounts.web.membership.kept_forms import login_required_to_send
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.lessons.coach_marks import mark_read
from games.models import Game, LogEntry, Seat
from games.play import takebacks, visits
from games.play.play_move import play_move
from games.play.seats import practice_hands
from games.refusals import NotSeated
from games.web import refusal_response
from games.web.open_hand import get_open_hand
from games.web.play.confirmation import confirm_move
from games.web.play.table_views import table_response
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request, page_redirect, whole_number


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required_to_send
def move(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a move as entry `number` of the log, from the seat of the logged-in user.

    A GET, as when a refused page is reloaded, is redirected to the game.
    """
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if found.is_practice and found.host_id != request.user.pk:
        raise Http404
    if request.method != "POST":
        return redirect(found)
    hand = get_open_hand(request, public_id)
    seat = practice_hands.acting_seat(found, list(found.seats.all()), request.user, hand, entry=number)
    if seat is not None and (question := confirm_move(request, found, number)) is not None:
        return question
    entry, refused = _play(request, found, number, seat)
    if not refused and "next" in request.POST:
        return page_redirect(request, f"{reverse('next-game')}?after={public_id}")
    if not refused and not request.htmx:
        return redirect(found)
    return table_response(request, public_id, entry=entry, posted=number if refused else 0, **refused)


@require_POST
@never_cache
@login_required
def take_back(request: Request, public_id: str, number: int) -> HttpResponse:
    """Take back the moves after the posted entry `to`, by a ruling as entry `number` of the log."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    to, problem, status = whole_number(request.POST.get("to", "")), "", 200
    try:
        if to is None:
            problem, status = _("Choose which moves to take back."), 422
        else:
            hand = get_open_hand(request, public_id)
            takebacks.take_back(game_id=found.pk, number=number, to=to, by=request.user, opened=hand)
    except Refusal as error:
        problem, status = str(error.message), error.status
    if not problem and not request.htmx:
        return redirect(found)
    return table_response(request, public_id, problem=problem, status=status)


def _play(
    request: Request, found: Game, number: int, seat: Seat | None
) -> tuple[LogEntry | None, dict[str, Any]]:
    """Play the move; return its entry, or None and the context of its refusal."""
    if seat is None and (covered := practice_hands.reason_against_acting(found, request.user)):
        return None, refusal_response.refusal_context(covered)
    if seat is None:
        return None, refusal_response.refusal_context(NotSeated())
    reader = PRESENTERS[found.system]
    try:
        entry = play_move(
            game_id=found.pk,
            number=number,
            seat=seat.number,
            text=reader.read_move(request.POST),
            by=request.user,
        )
    except Refusal as error:
        return None, refusal_response.refusal_context(error)
    except (IllegalMove, InvalidMove) as error:
        return None, {"problem": reader.refusal(error, found.rules), "status": 422}
    visits.mark_own_move_seen(found, request.user, number)
    if "coach" in request.POST:
        # The answer to what the mark explained shows that it was read.
        mark_read(request.user, request.POST["coach"])
    return entry, {}
