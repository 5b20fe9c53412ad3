"""The page of a game review."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.analysis import review_figures
from games.analysis.review_figures import AnswerTimes, Play, Player, ResultBreakdown, ReviewData
from games.models import MoveAssessment
from games.play import finished_game
from games.play.game_view import GameView
from games.web.analysis.end_moments import end_moments
from games.web.analysis.review_text import (
    adviser_name,
    amount,
    assessed_move,
    player_name,
    share_in_points,
    turning_point,
)
from games.web.analysis.share_picture_views import may_have, preview
from games.web.open_hand import get_open_hand
from games.web.presenters.advice_view import percent
from games.web.presenters.log_entry_view import without_taken_back
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople, people
from games.web.presenters.worth_chart import chart
from games.web.requests import Request
from games.web.text.game_titles import DAY, HOUR, MINUTE, title
from games.web.text.log_view import log_entry_views as entries_told
from games.web.text.seat_names import table_persons


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def game_review(request: Request, public_id: str) -> HttpResponse:
    """Show the game review; a POST by one of its players asks for its moves to be assessed.

    htmx gets only the part with the assessments, which grows while they are made; with `end` in the address
    the part that the table shows.
    """
    found = review_figures.game_review(public_id, request.user, get_open_hand(request, public_id))
    if request.method == "POST":
        return _ask(request, found)
    if request.htmx and "end" in request.GET:
        context = {**_progress(found), **end_moments(found, request.user)}
        return render(request, "games/analysis/_end_moments.html", context)
    if request.htmx:
        return render(request, "games/analysis/_assessments.html", _rated(found))
    has_picture = may_have(found.look, request.user)
    context = {**_context(found), **_rated(found), **preview(found.look), "has_picture": has_picture}
    return render(request, "games/analysis/game_review.html", context)


@login_required
def _ask(request: Request, found: ReviewData) -> HttpResponse:
    if not _may_ask(found):
        raise Http404
    finished_game.begin_review(found.look.game)
    return redirect("game-review", found.look.game.public_id)


def _may_ask(found: ReviewData) -> bool:
    """Return whether the reader played in the game and its moves are not being assessed."""
    plays = found.look.seat is not None or found.look.game.is_practice
    return found.rated is None and plays and review_figures.may_be_rated(found.look.game)


def _context(found: ReviewData) -> dict[str, Any]:
    """The part of the context about the course of the game."""
    look, table = found.look, PRESENTERS[found.look.game.system]
    around = _report_people(look)
    names = [_("you") if seat == look.seat else str(person) for seat, person in enumerate(around.persons)]
    entries = without_taken_back(entries_told(look, look.entries))
    worth = [turn.worth for turn in found.turns]
    return {
        "title": title(look.game),
        "game": look.game,
        "game_url": look.game.get_absolute_url(),
        "names": names,
        "places": [
            (rank, around.at_the_end(seat, names[seat]), table.score(points), seat == look.seat)
            for rank, seat, points in table.places(look.seen, around)
        ],
        "score_name": table.score_name(),
        "chart": chart(names, worth, table.amount) if len(worth) > 1 else None,
        "rows": [(turn, [table.amount(points) for points in row]) for turn, row in enumerate(worth)],
        "breakdowns": table.breakdowns(look.seen, names, entries),
        "turning": [
            turning_point(look, around, turning) for turning in review_figures.turning_points(found.turns)
        ],
        "paces": [_pace(look, pace) for pace in review_figures.paces(look)],
    }


def _rated(found: ReviewData) -> dict[str, Any]:
    """The part of the context about the assessments made so far."""
    look = found.look
    entries = {entry.number: entry for entry in look.entries}
    plays = review_figures.player_accuracy(found)

    def judged(some: Iterable[MoveAssessment]) -> list[dict[str, Any]]:
        return [assessed_move(look, rated, entries[rated.number]) for rated in some]

    return {
        **_progress(found),
        "title": title(look.game),
        "plays": [_play(look, play) for play in plays],
        "costly": judged(review_figures.costliest_moves(found)),
        "judged": judged(found.assessments),
        "fates": [_fate(look, fate) for fate in review_figures.result_breakdowns(found)],
        "lost_name": _("{points} lost").format(points=PRESENTERS[look.game.system].score_name()),
        "luck": PRESENTERS[look.game.system].luck(),
    }


def _progress(found: ReviewData) -> dict[str, Any]:
    """The part of the context about how far the assessments are."""
    game = found.look.game
    return {
        "story_url": reverse("game-review", args=[game.public_id]),
        "level": adviser_name(game),
        "may_ask": _may_ask(found),
        "is_rated": found.rated is not None,
        "under_way": found.rated is not None and found.rated < 1,
        "progress": percent(found.rated or 0.0),
    }


def _report_people(look: GameView) -> TablePeople:
    return people(table_persons(look.seats), look.seat)


def _play(look: GameView, play: Play) -> dict[str, Any]:
    return {
        "name": player_name(look, play.player),
        "me": play.player.seat == look.seat and not play.player.stand_in,
        "decisions": play.decisions,
        "accuracy": percent(play.accuracy),
        "lost_chance": share_in_points(play.lost_chance),
        "lost_lead": amount(look, play.lost_lead),
    }


def _signed(share: float) -> str:
    """A share of the win in points with its sign."""
    if not round(share, 3):
        return "0.0"
    return f"+{share_in_points(share)}" if share > 0 else share_in_points(share)


def _fate(look: GameView, fate: ResultBreakdown) -> dict[str, Any]:
    seat = look.seats[fate.seat]
    return {
        "name": player_name(look, Player(fate.seat, seat.name, stand_in=False)),
        "me": fate.seat == look.seat,
        "result": _signed(fate.result),
        "given_away": _signed(-fate.given_away),
        "got": _signed(fate.got),
        "luck": _signed(fate.luck),
    }


def _pace(look: GameView, pace: AnswerTimes) -> dict[str, Any]:
    return {
        "name": player_name(look, pace.player),
        "me": pace.player.seat == look.seat,
        "times": pace.times,
        "median": _span(pace.median),
        "longest": _span(pace.longest),
    }


def _span(time: timedelta) -> str:
    """A duration in its two largest units: "2 days 3 h", "5 min 10 s"."""
    seconds = round(time.total_seconds())
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE
    if days:
        text = ngettext("{n} day", "{n} days", days).format(n=days)
        return _("{days} {n} h").format(days=text, n=hours) if hours else text
    if hours:
        return _("{h} h {m} min").format(h=hours, m=minutes)
    if minutes:
        return _("{m} min {s} s").format(m=minutes, s=seconds % MINUTE)
    return _("{s} s").format(s=seconds)
