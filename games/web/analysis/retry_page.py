"""The page on which a decision of a finished game is tried again; no game changes."""

from dataclasses import replace
from typing import Any

from allauth.core import ratelimit
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.analysis import retries, review_figures
from games.analysis.retries import Grade, Verdict, judge_retry
from games.analysis.review_figures import ReviewData
from games.analysis.review_moments import Moment, check_answer, moment_at
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import MoveAssessment
from games.web.analysis.review_moment import moment_people, next_mistake
from games.web.analysis.review_text import adviser_name, position_url
from games.web.open_hand import get_open_hand
from games.web.presenters.advice_view import percent
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.requests import Request, missing_page
from games.web.text.game_titles import title
from games.web.text.log_view import log_entry_views


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def retry(request: Request, public_id: str, number: int) -> HttpResponse:
    """Ask for the decision with this log entry again; a POST is compared with its assessment.

    Raises Http404 for entries that were not assessed.
    """
    found = review_figures.game_review(public_id, request.user, get_open_hand(request, public_id))
    rated = next((one for one in found.assessments if one.number == number), None)
    if rated is None:
        return missing_page(request)
    moment = moment_at(found.look, number)
    if not retries.is_askable(rated, moment.asked):
        return missing_page(request)
    if request.method != "POST":
        return _shown(request, _context(found, rated, moment))
    if not ratelimit.consume(request, action="retry"):
        return ratelimit.respond_429(request)
    game = found.look.game
    table = PRESENTERS[game.system]
    try:
        answer = check_answer(found.look, number, table.read_move(request.POST))
    except (IllegalMove, InvalidMove) as error:
        context = {**_context(found, rated, moment), "problem": table.refusal(error, game.rules)}
        context["decision"] = table.kept(context["decision"], request.POST)
        return _shown(request, context, 422)
    return _shown(request, _context(found, rated, moment, answer))


def _shown(request: Request, context: dict[str, Any], status: int = 200) -> HttpResponse:
    template = "games/analysis/_retry.html" if request.htmx else "games/analysis/retry.html"
    return render(request, template, context, status=status)


def _context(found: ReviewData, rated: MoveAssessment, moment: Moment, answer: Any = None) -> dict[str, Any]:
    """The context of the table before the decision, and the verdict once there is an answer."""
    look, game = found.look, found.look.game
    table, people = PRESENTERS[game.system], _people(found, rated)
    before = [entry for entry in look.entries if entry.number < rated.number]
    seen = moment.asked if answer is None else replace(moment.asked, legal=())
    return {
        **table.context(seen, people, log_entry_views(look, before)),
        "cover": None,
        "exploring": True,
        "version": 0 if answer is None else 1,
        "table_template": table.TEMPLATE,
        "stylesheet": table.STYLESHEET,
        "move_url": reverse("review-retry", args=[game.public_id, rated.number]),
        "rules_url": reverse("game-rules", args=[game.public_id]),
        "waiting_count": getattr(game, "waiting", 0),
        "title": title(game),
        "task": _("Retry: the game does not change"),
        "turn": moment.turn,
        "moment_url": position_url(look, rated.number),
        "question": table.headline(moment.asked, people),
        "problem": "",
        **({} if answer is None else _result(found, rated, moment, answer)),
    }


def _people(found: ReviewData, rated: MoveAssessment) -> TablePeople:
    """The players at the decision; the reader decides for the seat that was asked."""
    return TablePeople(moment_people(found.look, rated.number - 1).persons, rated.seat)


def _result(found: ReviewData, rated: MoveAssessment, moment: Moment, answer: Any) -> dict[str, Any]:
    """The verdict on an answer, with the moves that were considered and why the best one is the best."""
    game = found.look.game
    table, people, level = PRESENTERS[game.system], _people(found, rated), adviser_name(game)
    played = found.look.entries[rated.number - 1].text
    verdict = judge_retry(rated, played, str(answer))
    considered = [one for one in retries.estimates(rated, played) if one.move in moment.asked.legal]
    mine, best, as_played = table.in_words(
        moment.asked,
        people,
        [answer, considered[0].move, game.rule_system.parse_move(played)],
    )
    following = next_mistake(found, rated.number)
    return {
        "headline": _headline(verdict.grade),
        "hand": None,
        "outcomes": [table.better_move(moment.asked, considered[0].move)],
        "verdict": {
            "is_right": verdict.grade.is_right,
            "headline": _headline(verdict.grade),
            "mine": mine,
            "told": _told(verdict, level),
            "best": best,
            "best_chance": percent(rated.best_chance),
            "played": as_played,
            "played_chance": percent(rated.chance),
            "why": table.advice(moment.asked, people, level, considered).why,
            "next_url": reverse("review-retry", args=[game.public_id, following]) if following else "",
        },
    }


def _headline(grade: Grade) -> str:
    if grade is Grade.BEST:
        return _("Correct")
    if grade is Grade.AS_GOOD:
        return _("Just as good")
    if grade is Grade.UNKNOWN:
        return _("Not rated")
    return _("There was a better move")


def _told(verdict: Verdict, level: str) -> str:
    """A sentence on the answer itself."""
    if verdict.chance is None:
        return _("{level} did not consider this move and cannot rate it.").format(level=level)
    text = {
        Grade.BEST: _("Its winning chance is {chance}, higher than any other move’s."),
        Grade.AS_GOOD: _("Its winning chance is {chance}, within 2 points of the best move."),
        Grade.AS_PLAYED: _("This was the move in the game. Its winning chance is {chance}."),
        Grade.WORSE: _("Its winning chance is {chance}."),
    }[verdict.grade]
    return text.format(chance=percent(verdict.chance))
