"""The page of a game review."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.analysis import review_figures
from games.analysis.review_figures import ReviewData
from games.analysis.review_moments import moment_at
from games.play import finished_game
from games.web.analysis.end_moments import end_moments
from games.web.analysis.review_moment import moment_context, moment_people
from games.web.analysis.review_side import may_ask, progress_context, side_context
from games.web.analysis.share_picture_views import preview
from games.web.open_hand import get_open_hand
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request, whole_number
from games.web.text.game_titles import title


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def game_review(request: Request, public_id: str) -> HttpResponse:
    """Show the game review, beginning with a decision worth a look; a POST asks for its moves to be assessed.

    Only players of the game can ask. htmx gets parts: with `end` in the address what the table shows, with
    `at`, the number of the moment shown, what stands beside the board and grows while moves are assessed.
    """
    found = _found(request, public_id)
    if request.method == "POST":
        return _ask(request, found)
    if request.htmx and "end" in request.GET:
        context = {**progress_context(found), **end_moments(found)}
        return render(request, "games/analysis/_end_moments.html", context)
    if request.htmx and (at := whole_number(request.GET.get("at", ""))) is not None:
        turns = moment_at(found.look, found.look.game.version).turns
        return render(request, "games/analysis/_review_side.html", side_context(found, turns, at))
    return _page(request, found, _first_moment(found), preview(found.look))


@require_safe
@never_cache
def moment(request: Request, public_id: str, number: int) -> HttpResponse:
    """Show the game review at the moment after this log entry; htmx gets the moment alone."""
    found = _found(request, public_id)
    if number > found.look.game.version:
        return redirect("review-moment", public_id, found.look.game.version)
    if request.htmx:
        context = moment_context(found, moment_at(found.look, number), request.user)
        return render(request, "games/analysis/_moment.html", context)
    return _page(request, found, number, preview(found.look, number))


@require_safe
def old_address(request: Request, public_id: str) -> HttpResponse:
    """Redirect from the address that game reviews had before."""
    return redirect("game-review", public_id, permanent=True)


def _found(request: Request, public_id: str) -> ReviewData:
    return review_figures.game_review(public_id, request.user, get_open_hand(request, public_id))


@login_required
def _ask(request: Request, found: ReviewData) -> HttpResponse:
    if not may_ask(found):
        raise Http404
    finished_game.begin_review(found.look.game)
    return redirect("game-review", found.look.game.public_id)


def _first_moment(found: ReviewData) -> int:
    """The costliest decision that concerns the reader and has a mark, or the end."""
    marked = review_figures.mistakes(found)
    if not marked:
        return found.look.game.version
    return max(marked, key=lambda rated: (rated.lost_chance, -rated.number)).number


def _page(request: Request, found: ReviewData, number: int, link_preview: dict[str, Any]) -> HttpResponse:
    look, game = found.look, found.look.game
    table, at = PRESENTERS[game.system], moment_at(look, number)
    context: dict[str, Any] = {
        **moment_context(found, at, request.user),
        **side_context(found, at.turns, number),
        **link_preview,
        "game": game,
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "result": table.result(look.seen, moment_people(look, game.version)),
        "stylesheet": table.STYLESHEET,
        "waiting_count": getattr(game, "waiting", 0),
    }
    return render(request, "games/analysis/game_review.html", context)
