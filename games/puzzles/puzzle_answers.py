"""Answers to puzzles: only the first is stored, and it counts on the puzzle's day."""

from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Exists, Max, OuterRef

from accounts.models import User
from games.models import Puzzle, PuzzleAnswer
from games.players.admission import lock_user
from games.puzzles.puzzle_calendar import today
from games.puzzles.puzzle_difficulty import rate_puzzle
from games.puzzles.puzzle_positions import position
from games.puzzles.shown_puzzles import visible_puzzles


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with right answers: the current number and the longest."""

    current: int = 0
    longest: int = 0


def check_answer(puzzle: Puzzle, move: str) -> str:
    """Return the answer in the notation of the rules. Raises InvalidMove and IllegalMove."""
    system = puzzle.source.rule_system
    answer = system.parse_move(move)
    system.check_move(position(puzzle), answer)
    return str(answer)


@transaction.atomic
def answer_puzzle(*, puzzle: Puzzle, user: User, move: str) -> PuzzleAnswer:
    """Store a member's first answer and return it; later ones change nothing.

    It counts on the day of the puzzle, once a day: a puzzle that replaces a withdrawn one does not count for
    members who had answered the latter. Raises AccountClosed, and InvalidMove or IllegalMove.
    """
    text = check_answer(puzzle, move)
    # Lock first: a second page of the member must wait and find the answer of the first.
    lock_user(user)
    given = PuzzleAnswer.objects.filter(user=user, puzzle=puzzle).first()
    if given is not None:
        return given
    day = today()
    counts = puzzle.day == day and not PuzzleAnswer.objects.filter(user=user, day=day).exists()
    right = text == puzzle.best
    rate_puzzle(puzzle, user, solved=right)
    return PuzzleAnswer.objects.create(
        puzzle=puzzle,
        user=user,
        move=text,
        right=right,
        day=day if counts else None,
        streak=_current_streak(user, day) + 1 if counts and right else 0,
    )


def streak_of(user: User) -> Streak:
    """The user's streaks. Today's puzzle breaks none before the day is over."""
    longest = PuzzleAnswer.objects.filter(user=user).aggregate(most=Max("streak"))["most"]
    return Streak(current_streak(user), longest) if longest else Streak()


def current_streak(user: User) -> int:
    """The user's days in a row with right answers. Today's puzzle breaks none before the day is over."""
    return _current_streak(user, today(), also_today=True)


def _current_streak(user: User, now: date, *, also_today: bool = False) -> int:
    """The number of days in a row answered right up to the last puzzle before `now`.

    A day without a puzzle, or with a withdrawn one, breaks no streak.
    """
    missed = visible_puzzles().filter(day__gt=OuterRef("day"), day__lt=now)
    counted = PuzzleAnswer.objects.filter(user=user, **{"day__lte" if also_today else "day__lt": now})
    last = counted.annotate(is_broken=Exists(missed)).order_by("-day").first()
    return 0 if last is None or last.is_broken else last.streak
