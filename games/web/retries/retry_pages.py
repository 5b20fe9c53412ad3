"""Pages on which members retry their own costly decisions."""

from typing import Any

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.refusals import Refusal
from games.engine.bots.bot_levels import ADVISERS
from games.engine.bots.move_estimate import Estimate
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Mistake, Puzzle
from games.puzzles import puzzle_view
from games.puzzles.peer_choices import puzzle_from
from games.puzzles.puzzle_positions import played_instead
from games.refusals import NoSuchMistake
from games.retries import retry_answers
from games.retries.retry_puzzle import retry_puzzle
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.puzzles.peer_text import peer_sentences
from games.web.puzzles.puzzle_solution import evaluation, position_url
from games.web.puzzles.puzzle_table import puzzle_people, table_context
from games.web.requests import Request, missing_page
from games.web.text.game_titles import rules_title, title
from games.web.text.seat_names import level_name
from games.web.text.win_points import win_points


@require_safe
@never_cache
@login_required
def retries(request: Request) -> HttpResponse:
    """Show how many mistakes the member can retry now, and when others come back."""
    return _overview(request)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def retry(request: Request, key: int) -> HttpResponse:
    """Show one mistake as a puzzle, or its solution until it comes back; POST answers it."""
    if request.method == "POST" and not ratelimit.consume(request, action="puzzle"):
        return ratelimit.respond_429(request)
    try:
        mistake = retry_answers.mistake_of(request.user, key)
    except NoSuchMistake as error:
        return _missing(request, error)
    if request.method != "POST":
        return _shown(request, mistake)
    table = PRESENTERS[mistake.decision.system]
    try:
        mistake = retry_answers.answer_retry(user=request.user, key=key, move=table.read_move(request.POST))
    except NoSuchMistake as error:
        return _missing(request, error)
    except Refusal as error:
        return _shown(request, mistake, str(error.message), error.status)
    except (IllegalMove, InvalidMove) as error:
        refusal = table.refusal(error, mistake.decision.review.game.rules)
        return _shown(request, mistake, refusal, 422)
    return _shown(request, mistake) if request.htmx else redirect("retry", key)


def _missing(request: Request, error: NoSuchMistake) -> HttpResponse:
    """The overview with the reason, in place of the page from which a script sent an answer."""
    return missing_page(request) if request.htmx else _overview(request, str(error.message), error.status)


def _overview(request: Request, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "counts": retry_answers.retry_counts(request.user),
        "next_url": _next_url(request),
        "problem": problem,
    }
    return render(request, "games/retries/retries.html", context, status=status)


def _next_url(request: Request) -> str:
    """The address of the mistake to retry next, or ""."""
    key = retry_answers.next_mistake(request.user)
    return reverse("retry", args=[key]) if key is not None else ""


def _shown(request: Request, mistake: Mistake, problem: str = "", status: int = 200) -> HttpResponse:
    """Show the mistake; with status 422 the form keeps what was chosen."""
    template = "games/retries/_retry.html" if request.htmx else "games/retries/retry.html"
    context = {**_context(request, mistake), "problem": problem}
    if status == 422 and "decision" in context:
        context["decision"] = PRESENTERS[mistake.decision.system].kept(context["decision"], request.POST)
    return render(request, template, context, status=status)


def _context(request: Request, mistake: Mistake) -> dict[str, Any]:
    """The context of the table for the seat to move, with the solution until the mistake comes back."""
    puzzle, game = retry_puzzle(mistake), mistake.decision.review.game
    seen, before = puzzle_view.puzzle_position(puzzle)
    people, is_asked = puzzle_people(puzzle), retry_answers.is_asked(mistake, timezone.now())
    return {
        **table_context(puzzle, seen, before, people, is_answered=not is_asked),
        "task": _("Retry your mistake: your first answer counts") if is_asked else _("Retry your mistake"),
        "mistake": mistake,
        "is_asked": is_asked,
        "move_url": reverse("retry", args=[mistake.pk]),
        "rules_url": reverse("game-rules", args=[game.public_id]),
        "rules_title": rules_title(game),
        "finished": game.finished,
        "lost": win_points(mistake.decision.lost),
        **({} if is_asked else _solution(request, mistake, puzzle, seen, people)),
    }


def _solution(
    request: Request, mistake: Mistake, puzzle: Puzzle, seen: Any, people: TablePeople
) -> dict[str, Any]:
    """The context of the solution, with what others chose and what comes next."""
    game, system = mistake.decision.review.game, mistake.decision.system
    table, parse = PRESENTERS[system], game.rule_system.parse_move
    estimates = [Estimate(parse(text), *numbers) for text, *numbers in puzzle.estimates]
    level = level_name(system, ADVISERS[system])
    mine, played = table.in_words(seen, people, [parse(mistake.move), played_instead(puzzle)])
    tried = any(str(one.move) == mistake.move for one in estimates)
    advice = table.advice(seen, people, level, estimates)
    return {
        "headline": _("Correct") if mistake.right else _("There was a better move"),
        "level": level,
        "best": advice.order,
        "why": advice.why,
        "lines": evaluation(puzzle, estimates, mistake.move, seen, people),
        "untried": "" if tried else mine,
        "played": played,
        "peers": peer_sentences(puzzle_from(game, mistake.decision.number), request.user, seen, people),
        "game_title": title(game),
        "position_url": position_url(puzzle),
        "next_url": _next_url(request),
    }
