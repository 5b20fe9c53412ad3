"""The lessons in their order, and the rule system that they teach."""

from typing import Final

from games.lessons.acquire.acquire_lessons import LESSONS, RULEBOOK
from games.lessons.lesson import Lesson

SYSTEM: Final = "acquire"
PRESET: Final = RULEBOOK
COURSE: Final[tuple[Lesson, ...]] = LESSONS


def lesson_of(name: str) -> Lesson | None:
    """The lesson of this name, or None."""
    return next((lesson for lesson in COURSE if lesson.name == name), None)


def lesson_after(lesson: Lesson) -> Lesson | None:
    """The next lesson, or None after the last."""
    following = COURSE[COURSE.index(lesson) + 1 :]
    return following[0] if following else None
