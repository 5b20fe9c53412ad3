"""The lessons in their order, the rule system that they teach, and its coach marks."""

from typing import Any, Final

from games.lessons.acquire.acquire_lessons import LESSONS, RULEBOOK
from games.lessons.acquire.coach_moments import MOMENTS, coach_moments
from games.lessons.lesson import Lesson

SYSTEM: Final = "acquire"
PRESET: Final = RULEBOOK
COURSE: Final[tuple[Lesson, ...]] = LESSONS
COACH_MARKS: Final = tuple(MOMENTS)


def lesson_of(name: str) -> Lesson | None:
    """The lesson of this name, or None."""
    return next((lesson for lesson in COURSE if lesson.name == name), None)


def lesson_after(lesson: Lesson) -> Lesson | None:
    """The next lesson, or None after the last."""
    following = COURSE[COURSE.index(lesson) + 1 :]
    return following[0] if following else None


def marks_that_fit(seen: Any) -> list[str]:
    """The coach marks that fit the reader's decision, the most important first."""
    return coach_moments(seen)
