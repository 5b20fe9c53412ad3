"""Pages of the lessons: the list, and the steps of each lesson."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from allauth.core import ratelimit
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.engine.rules.rule_systems import SYSTEMS
from games.lessons.course import COURSE, PRESET, SYSTEM, lesson_after, lesson_of
from games.lessons.lesson import Lesson
from games.lessons.lesson_answers import LessonView, check_answer, solved_position, step_position
from games.lobby.game_lists import has_played
from games.web.lessons.kept_progress import keep_solved, open_lesson, solved_by
from games.web.lessons.lesson_text import STEPS, TITLES
from games.web.lobby.play_now_form import FIRST_LEVEL
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople
from games.web.requests import Request

# The number of solved steps by lesson.
Progress = dict[str, int]


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson in the list; `number` counts from 1, `solved` of its `steps` are done."""

    number: int
    title: str
    url: str
    steps: int
    solved: int
    is_current: bool

    @property
    def is_done(self) -> bool:
        return self.solved == self.steps


@require_safe
@never_cache
def lessons(request: Request) -> HttpResponse:
    """List the lessons with the reader's progress."""
    solved = solved_by(request)
    following = open_lesson(solved)
    context = {
        **_list_context(solved),
        "begun": bool(solved),
        "next_title": _heading(following) if following else "",
        "next_url": reverse("lesson", args=[following.name]) if following else "",
        "first_game": _first_game(),
        "has_played": has_played(request.user),
    }
    return render(request, "games/lessons/lessons.html", context)


@require_safe
@never_cache
def lesson(request: Request, name: str) -> HttpResponse:
    """Redirect to the first open step of a lesson, or to its first step if all are solved."""
    found = _lesson_or_404(name)
    return redirect("lesson-step", name, _open_step(found, solved_by(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lesson_step(request: Request, name: str, number: int) -> HttpResponse:
    """Show a step; POST answers it.

    With `show` in the address a right answer is filled in; with `answer`, which follows a right answer where
    there is no script, the page shows what came of it.
    """
    found = _lesson_or_404(name)
    if not 1 <= number <= len(found.steps):
        raise Http404
    progress = solved_by(request)
    solved = progress.get(found.name, 0)
    if request.method != "POST":
        if number > solved + 1:
            return redirect("lesson", name)
        if number <= solved and (given := request.GET.get("answer", "")):
            return _solved_page(request, progress, found, number, given)
        return _asked_page(request, progress, found, number)
    if not ratelimit.consume(request, action="lesson"):
        return ratelimit.respond_429(request)
    if number > solved + 1:
        problem = _("You have not reached that step yet. Solve this one first.")
        return _asked_page(request, progress, found, solved + 1, problem, 409)
    return _answered(request, progress, found, number)


def _answered(request: Request, progress: Progress, lesson: Lesson, number: int) -> HttpResponse:
    step, table = lesson.steps[number - 1], PRESENTERS[SYSTEM]
    hint = str(STEPS[lesson.name, step.name].hint)
    try:
        move, is_right = check_answer(step, table.read_move(request.POST))
    except (IllegalMove, InvalidMove) as error:
        refusal = table.refusal(error, SYSTEMS[SYSTEM].PRESETS[PRESET])
        # The hint speaks of an answer, so there must be one.
        problem = f"{refusal} {hint}" if isinstance(error, IllegalMove) else refusal
        return _asked_page(request, progress, lesson, number, problem, 422)
    if not is_right:
        # A wrong try is no error: the console of the browser would show one.
        return _asked_page(request, progress, lesson, number, hint)
    keep_solved(request, lesson, number)
    if request.htmx:
        now = progress | {lesson.name: max(number, progress.get(lesson.name, 0))}
        return _solved_page(request, now, lesson, number, move)
    address = reverse("lesson-step", args=[lesson.name, number])
    return redirect(f"{address}?{urlencode({'answer': move})}")


def _lesson_or_404(name: str) -> Lesson:
    found = lesson_of(name)
    if found is None:
        raise Http404
    return found


def _open_step(lesson: Lesson, solved: dict[str, int]) -> int:
    """The number of the first step that is not solved, 1 if all are."""
    count = solved.get(lesson.name, 0)
    return count + 1 if count < len(lesson.steps) else 1


# -- The page of a step --------------------------------------------------------------------------------


def _asked_page(
    request: Request,
    progress: Progress,
    lesson: Lesson,
    number: int,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the question of a step; after an answer to it the form keeps what was chosen."""
    step, table = lesson.steps[number - 1], PRESENTERS[SYSTEM]
    text, shows = STEPS[lesson.name, step.name], "show" in request.GET and not problem
    view = step_position(step)
    context = _step_context(progress, lesson, number, view)
    if shows:
        context["decision"] = table.filled(context["decision"], SYSTEMS[SYSTEM].parse_move(step.example))
    elif problem and status != 409:
        context["decision"] = table.kept(context["decision"], request.POST)
    more = {
        "goal": text.goal,
        "note": text.note,
        "refusal": problem,
        "said": problem or f"{text.goal} {text.note}",
        "show_url": "" if shows else f"{context['move_url']}?show=1",
        **table.lesson_marks(text.spot, SYSTEMS[SYSTEM].parse_move(step.example) if shows else None),
    }
    return _rendered(request, context | more, status)


def _solved_page(
    request: Request, progress: Progress, lesson: Lesson, number: int, move: str
) -> HttpResponse:
    """Show what came of a right answer, and why it is right."""
    step = lesson.steps[number - 1]
    view = solved_position(step, move)
    if view is None:
        return _asked_page(request, progress, lesson, number)
    text = STEPS[lesson.name, step.name]
    following = lesson_after(lesson)
    answered = LessonView(replace(view.seen, legal=()), view.events)
    completed = LessonView(replace(view.completed, legal=()), view.events)
    context = _step_context(progress, lesson, number, completed)
    # While a merger goes on, the table shows whom it has paid.
    context["payouts"] = _step_context(progress, lesson, number, answered)["payouts"]
    if number < len(lesson.steps):
        next_url, next_label = reverse("lesson-step", args=[lesson.name, number + 1]), _("Next step")
    elif following is not None:
        next_url = reverse("lesson", args=[following.name])
        next_label = _("Next lesson: {title}").format(title=TITLES[following.name])
    else:
        next_url, next_label = "", ""
    more = {
        "is_solved": True,
        "why": text.why,
        "said": _("Correct. {why}").format(why=text.why),
        "next_url": next_url,
        "next_label": next_label,
        "first_game": _first_game(),
        "result": context["headline"] if view.seen.ended else "",
        **PRESENTERS[SYSTEM].lesson_marks("", None),
    }
    return _rendered(request, context | more, 200)


def _step_context(progress: Progress, lesson: Lesson, number: int, view: LessonView) -> dict[str, Any]:
    table = PRESENTERS[SYSTEM]
    people = TablePeople(tuple(_players()), view.seen.seat)
    entries = [LogEntryView(1, view.events)] if view.events else []
    places = range(1, len(lesson.steps) + 1)
    return {
        **table.context(view.seen, people, entries),
        **_list_context(progress, lesson),
        "lesson_template": table.LESSON_TEMPLATE,
        "cover": None,
        "exploring": True,
        "in_lesson": True,
        "move_url": reverse("lesson-step", args=[lesson.name, number]),
        "rules_url": reverse("preset", args=[PRESET]),
        "title": _heading(lesson),
        "number": number,
        "before_url": reverse("lesson-step", args=[lesson.name, number - 1]) if number > 1 else "",
        "steps": ["done" if index < number else "here" if index == number else "" for index in places],
    }


def _rendered(request: Request, context: dict[str, Any], status: int) -> HttpResponse:
    template = "games/lessons/_lesson.html" if request.htmx else "games/lessons/lesson.html"
    return render(request, template, context, status=status)


def _list_context(solved: dict[str, int], current: Lesson | None = None) -> dict[str, Any]:
    lines = [
        LessonLine(
            number,
            str(TITLES[one.name]),
            reverse("lesson", args=[one.name]),
            len(one.steps),
            solved.get(one.name, 0),
            one is current,
        )
        for number, one in enumerate(COURSE, start=1)
    ]
    return {"lessons": lines, "done": sum(line.is_done for line in lines)}


def _heading(lesson: Lesson) -> str:
    return f"{COURSE.index(lesson) + 1} · {TITLES[lesson.name]}"


def _players() -> Sequence[Person]:
    """The reader and two more, whom the texts name."""
    return [Person(_("You")), Person("Ann"), Person("Ben")]


def _first_game() -> dict[str, str]:
    """The fields of the form for a first game."""
    return {"system": SYSTEM, "preset": PRESET, "level": FIRST_LEVEL}
