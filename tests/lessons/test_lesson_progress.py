"""Progress of users in the lessons."""

import pytest

from accounts.models import User
from games.lessons.course import COURSE
from games.lessons.lesson_progress import known_progress, progress_of, store_solved, take_over
from games.models import LessonProgress
from games.privacy.retention import forget_user

pytestmark = pytest.mark.django_db

FIRST, SECOND = COURSE[:2]


def test_progress_is_kept_for_each_user(alice: User, bob: User) -> None:
    store_solved(alice, FIRST.name, 2)
    assert progress_of(alice) == {FIRST.name: 2}
    assert progress_of(bob) == {}


def test_progress_never_shrinks(alice: User) -> None:
    store_solved(alice, FIRST.name, 2)
    store_solved(alice, FIRST.name, 1)
    assert progress_of(alice) == {FIRST.name: 2}
    assert LessonProgress.objects.count() == 1


def test_what_was_solved_before_logging_in_is_added(alice: User) -> None:
    store_solved(alice, FIRST.name, 1)
    store_solved(alice, SECOND.name, 2)
    take_over(alice, {FIRST.name: 3, SECOND.name: 1})
    assert progress_of(alice) == {FIRST.name: 3, SECOND.name: 2}


def test_lessons_and_steps_that_are_no_more_are_left_out(alice: User) -> None:
    take_over(alice, {"gone": 3, FIRST.name: 99})
    assert progress_of(alice) == {FIRST.name: len(FIRST.steps)}
    assert not LessonProgress.objects.filter(lesson="gone").exists()
    assert known_progress({FIRST.name: 0}) == {}


def test_departing_user_leaves_no_progress(alice: User, bob: User) -> None:
    store_solved(alice, FIRST.name, 1)
    store_solved(bob, FIRST.name, 1)
    forget_user(alice)
    assert [row.user for row in LessonProgress.objects.all()] == [bob]
