"""Answers to retries: which are right, and when the mistake comes back."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils import timezone

from accounts.models import User
from games.analysis.severity import SLIP
from games.models import Mistake
from games.players.admission import lock_user
from games.puzzles.puzzle_answers import check_answer
from games.refusals import NoSuchMistake, RetryNotDue
from games.retries.retry_puzzle import mistakes_of, retry_puzzle
from games.retries.schedule import Memory, after_answer


@dataclass(frozen=True, slots=True)
class RetryCounts:
    """The numbers of mistakes that have come back, are new, and come later, with the day of the next one."""

    again: int
    new: int
    later: int
    next_due: datetime | None

    @property
    def now(self) -> int:
        """The number of mistakes to retry now."""
        return self.again + self.new


def mistake_of(user: User, key: int, *, lock: bool = False) -> Mistake:
    """The member's own mistake with this key, locked if asked. Raises NoSuchMistake if there is none."""
    mistakes = mistakes_of(user).select_for_update(of=("self",)) if lock else mistakes_of(user)
    found = mistakes.filter(pk=key).first()
    if found is None:
        raise NoSuchMistake
    return found


def is_asked(mistake: Mistake, now: datetime) -> bool:
    """Return whether the mistake is to be retried now."""
    return mistake.due is None or mistake.due <= now


def is_right(mistake: Mistake, move: str) -> bool:
    """Return whether the move is the best one, or as good by the adviser's estimate."""
    chances = {text: chance for text, chance, *_rest in mistake.estimates or []}
    return move == mistake.best or chances.get(move, -1.0) > chances[mistake.best] - SLIP


@transaction.atomic
def answer_retry(*, user: User, key: int, move: str) -> Mistake:
    """Store an answer and set when the mistake comes back; return it. The same answer again changes nothing.

    Raises AccountClosed, NoSuchMistake, RetryNotDue, and InvalidMove or IllegalMove.
    """
    # Lock first: a second page of the member must wait and find the answer of the first.
    lock_user(user)
    # Its game may be reopened at any moment, which deletes the mistake.
    mistake, now = mistake_of(user, key, lock=True), timezone.now()
    text = check_answer(retry_puzzle(mistake), move)
    if not is_asked(mistake, now):
        if text == mistake.move:
            return mistake
        assert mistake.due is not None
        raise RetryNotDue(mistake.due)
    right = is_right(mistake, text)
    memory = after_answer(_memory(mistake), right=right, now=now)
    mistake.stability, mistake.difficulty = memory.stability, memory.difficulty
    mistake.answered, mistake.due = memory.answered, memory.due
    mistake.move, mistake.right = text, right
    mistake.answers += 1
    mistake.right_answers += right
    mistake.save()
    return mistake


def next_mistake(user: User) -> int | None:
    """The key of the mistake to retry next: the one due for longest, else the latest new one; or None."""
    keys = mistakes_of(user).values_list("pk", flat=True)
    due = keys.filter(due__lte=timezone.now()).order_by("due", "-pk").first()
    return due if due is not None else keys.filter(due=None).order_by("-pk").first()


def retry_counts(user: User) -> RetryCounts:
    """The numbers of mistakes that the member can retry now and later."""
    now = timezone.now()
    found = mistakes_of(user).aggregate(
        again=Count("pk", filter=Q(due__lte=now)),
        new=Count("pk", filter=Q(due=None)),
        later=Count("pk", filter=Q(due__gt=now)),
        next_due=Min("due", filter=Q(due__gt=now)),
    )
    return RetryCounts(**found)


def _memory(mistake: Mistake) -> Memory | None:
    if mistake.answered is None:
        return None
    assert mistake.stability is not None and mistake.difficulty is not None and mistake.due is not None
    return Memory(mistake.stability, mistake.difficulty, mistake.answered, mistake.due)
