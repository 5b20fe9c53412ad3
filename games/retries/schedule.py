"""Scheduling of retries by FSRS, with whole days as intervals."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fsrs import Card, Rating, Scheduler, State

# The longest interval in days.
MAX_DAYS: Final = 365

# No steps of minutes: nobody learns a position by seeing it again at once. No chance: the page can say when.
_SCHEDULER: Final = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=MAX_DAYS, enable_fuzzing=False
)


@dataclass(frozen=True, slots=True)
class Memory:
    """The strength of a memory, the time of the latest answer, and when the mistake is due again."""

    stability: float
    difficulty: float
    answered: datetime
    due: datetime


def after_answer(before: Memory | None, *, right: bool, now: datetime) -> Memory:
    """Return the memory after an answer at `now`; `before` is None for the first one."""
    card = Card(card_id=0)
    if before is not None:
        card = Card(
            card_id=0,
            state=State.Review,
            stability=before.stability,
            difficulty=before.difficulty,
            due=before.due.astimezone(UTC),
            last_review=before.answered.astimezone(UTC),
        )
    rating = Rating.Good if right else Rating.Again
    # The scheduler accepts no other time zone object than this.
    after, _log = _SCHEDULER.review_card(card, rating, now.astimezone(UTC))
    assert after.stability is not None and after.difficulty is not None
    return Memory(after.stability, after.difficulty, now, after.due)
