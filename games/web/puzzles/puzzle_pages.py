"""Pages of the puzzles of the day."""

from datetime import date
from typing import Any

from allauth.core import ratelimit
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.refusals import Refusal
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Puzzle
from games.puzzles import puzzle_answers, puzzle_calendar, puzzle_view
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.puzzles.peer_text import peer_sentences
from games.web.puzzles.puzzle_solution import PuzzleGuess, solution_context
from games.web.puzzles.puzzle_table import puzzle_people, table_context
from games.web.puzzles.session_answers import answer_in_session, keep_answer
from games.web.requests import Request, missing_page


@require_safe
@never_cache
def puzzle_today(request: Request) -> HttpResponse:
    """Show today's puzzle, or a page that says there is none yet."""
    day = puzzle_calendar.today()
    puzzle = puzzle_view.puzzle_of(day)
    if puzzle is None:
        before = puzzle_view.puzzle_neighbours(day).before
        context = {"before_url": _url(before), "sought": puzzle_calendar.missing_puzzles() > 0}
        return render(request, "games/puzzles/puzzle_none.html", context)
    return _shown(request, puzzle)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def puzzle(request: Request, day: str) -> HttpResponse:
    """Show the puzzle of a day; POST answers it, and only the first answer counts."""
    found = puzzle_view.puzzle_of(_date(day))
    if found is None:
        return missing_page(request)
    if request.method != "POST":
        return _shown(request, found)
    if not ratelimit.consume(request, action="puzzle"):
        return ratelimit.respond_429(request)
    try:
        _answer(request, found, PRESENTERS[found.source.system].read_move(request.POST))
    except Refusal as error:
        return _shown(request, found, str(error.message), error.status)
    except (IllegalMove, InvalidMove) as error:
        refusal = PRESENTERS[found.source.system].refusal(error, found.source.rules)
        return _shown(request, found, refusal, 422)
    return _shown(request, found) if request.htmx else redirect("puzzle", day)


def _date(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise Http404 from None
    if found.isoformat() != text:  # other spellings of the day have no page
        raise Http404
    return found


def _url(day: date | None) -> str:
    return reverse("puzzle", args=[day.isoformat()]) if day else ""


# -- Answers -------------------------------------------------------------------------------------------


def _answer(request: Request, puzzle: Puzzle, move: str) -> None:
    """Record the answer of a member, or keep that of a visitor in the session.

    An answer given before logging in counts as the member's, who has seen the solution.
    """
    if answer_in_session(request, puzzle) is not None:
        return
    if request.user.is_authenticated:
        puzzle_answers.answer_puzzle(puzzle=puzzle, user=request.user, move=move)
        return
    keep_answer(request, puzzle, puzzle_answers.check_answer(puzzle, move))


def _given(request: Request, puzzle: Puzzle) -> PuzzleGuess | None:
    """Return the reader's answer, or None if there is none yet."""
    answer = puzzle_view.puzzle_answer(puzzle, request.user)
    if answer is not None:
        return PuzzleGuess(answer.move, answer.right, counts=answer.day is not None)
    move = answer_in_session(request, puzzle)
    return None if move is None else PuzzleGuess(move, move == puzzle.best, counts=False)


# -- The page ------------------------------------------------------------------------------------------


def _shown(request: Request, puzzle: Puzzle, problem: str = "", status: int = 200) -> HttpResponse:
    """Show the puzzle; with status 422 the form keeps what was chosen."""
    template = "games/puzzles/_puzzle.html" if request.htmx else "games/puzzles/puzzle.html"
    context = {**_context(request, puzzle), "problem": problem}
    if status == 422:
        context["decision"] = PRESENTERS[puzzle.source.system].kept(context["decision"], request.POST)
    return render(request, template, context, status=status)


def _context(request: Request, puzzle: Puzzle) -> dict[str, Any]:
    """The context of the table for the seat to move, with the solution once the reader has answered.

    It does not reveal the players or the game.
    """
    assert puzzle.day is not None
    given = _given(request, puzzle)
    seen, before = puzzle_view.puzzle_position(puzzle)
    people = puzzle_people(puzzle)
    around = puzzle_view.puzzle_neighbours(puzzle.day)
    preset = _preset(puzzle)
    return {
        **table_context(puzzle, seen, before, people, is_answered=given is not None),
        "move_url": _url(puzzle.day),
        "rules_url": reverse("preset", args=[preset]),
        "day": puzzle.day,
        "title": date_format(puzzle.day),
        "task": _task(puzzle.day, is_answered=given is not None),
        "is_today": puzzle.day == puzzle_calendar.today(),
        "rules_title": PRESENTERS[puzzle.source.system].preset_name(preset),
        "before_url": _url(around.before),
        "after_url": _url(around.after),
        "by_computers": puzzle.source.game is None,
        **_result(request, puzzle, given, seen, people),
    }


def _task(day: date, *, is_answered: bool) -> str:
    """A line above the table that tells it from the reader's own games."""
    if day != puzzle_calendar.today():
        return _("Puzzle of {day}").format(day=date_format(day, "j F Y"))
    return _("Puzzle of the day") if is_answered else _("Puzzle of the day: your first answer counts")


def _result(
    request: Request, puzzle: Puzzle, given: PuzzleGuess | None, seen: Any, people: TablePeople
) -> dict[str, Any]:
    """The context of the solution; empty until the reader has answered."""
    if given is None:
        return {}
    assert puzzle.day is not None
    url = request.build_absolute_uri(_url(puzzle.day))
    context = solution_context(puzzle, given, seen, people, url)
    return {
        **context,
        "peers": peer_sentences(puzzle, request.user, seen, people),
        "streak": puzzle_answers.streak_of(request.user) if request.user.is_authenticated else None,
    }


def _preset(puzzle: Puzzle) -> str:
    game = puzzle.source.game
    return game.preset if game is not None else (puzzle.source.record or {})["preset"]
