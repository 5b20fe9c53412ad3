"""Progress of users in the lessons; what is solved stays solved."""

from collections.abc import Mapping

from accounts.models import User
from games.lessons.course import COURSE
from games.models import LessonProgress


def progress_of(user: User) -> dict[str, int]:
    """The number of solved steps by lesson."""
    rows = LessonProgress.objects.filter(user=user).values_list("lesson", "solved")
    return known_progress(dict(rows))


def known_progress(solved: Mapping[str, int]) -> dict[str, int]:
    """The same without lessons and steps that are no more."""
    return {
        lesson.name: min(count, len(lesson.steps))
        for lesson in COURSE
        if (count := solved.get(lesson.name, 0)) > 0
    }


def store_solved(user: User, lesson: str, count: int) -> None:
    """Note that the first `count` steps are solved, unless more are."""
    row, _is_new = LessonProgress.objects.get_or_create(user=user, lesson=lesson)
    # Two pages may answer at once: the number only ever grows.
    LessonProgress.objects.filter(pk=row.pk, solved__lt=count).update(solved=count)


def take_over(user: User, solved: Mapping[str, int]) -> None:
    """Add what the user has solved before logging in."""
    for name, count in known_progress(solved).items():
        store_solved(user, name, count)
