"""Coach marks: short notes at the table for newcomers, each of which is shown once.

Which of them a user has read is in the user's row, which pages read anyway.
"""

from collections.abc import Iterable

from django.db.models import Value
from django.db.models.functions import Concat

from accounts.models import User
from games.lessons.course import COACH_MARKS


def is_coached(user: User, *, has_finished: bool) -> bool:
    """Return whether the user is shown coach marks: as chosen, else until a first game is finished."""
    if user.coach_marks == User.CoachMarks.FIRST_GAME:
        return not has_finished
    return bool(user.coach_marks == User.CoachMarks.ON)


def next_mark(user: User, names: Iterable[str]) -> str:
    """The first of these coach marks that the user has not read, "" if there is none."""
    read = user.read_coach_marks.split()
    return next((name for name in names if name not in read), "")


def mark_read(user: User, name: str) -> None:
    """Note that the user has read this coach mark; unknown names are ignored."""
    if name not in COACH_MARKS or name in user.read_coach_marks.split():
        return
    # Another page may note another mark at the same time.
    longer = Concat("read_coach_marks", Value(f"{name} "))
    User.objects.filter(pk=user.pk).exclude(read_coach_marks__contains=f"{name} ").update(
        read_coach_marks=longer
    )
    user.read_coach_marks += f"{name} "


def show_all_again(user: User) -> None:
    """Forget which coach marks the user has read."""
    User.objects.filter(pk=user.pk).update(read_coach_marks="")
    user.read_coach_marks = ""
