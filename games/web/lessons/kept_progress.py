"""The reader's progress: in the database, or for visitors in their sessions."""

from typing import Any, Final

from games.lessons.course import COURSE
from games.lessons.lesson import Lesson
from games.lessons.lesson_progress import known_progress, progress_of, store_solved, take_over
from games.web.requests import Request

_IN_SESSION: Final = "lessons"


def solved_by(request: Request) -> dict[str, int]:
    """The number of steps that the reader has solved, by lesson."""
    if request.user.is_authenticated:
        return progress_of(request.user)
    return known_progress(request.session.get(_IN_SESSION, {}))


def keep_solved(request: Request, lesson: Lesson, count: int) -> None:
    """Note that the reader has solved the first `count` steps of the lesson."""
    if request.user.is_authenticated:
        store_solved(request.user, lesson.name, count)
        return
    kept = solved_by(request)
    if kept.get(lesson.name, 0) < count:
        request.session[_IN_SESSION] = kept | {lesson.name: count}


def take_over_from_session(session: Any, user: Any) -> None:
    """Move what a visitor has solved to the account that the session now belongs to."""
    if solved := session.pop(_IN_SESSION, None):
        take_over(user, solved)


def open_lesson(solved: dict[str, int]) -> Lesson | None:
    """The first lesson with a step that is not solved, or None after the last."""
    return next((lesson for lesson in COURSE if solved.get(lesson.name, 0) < len(lesson.steps)), None)
