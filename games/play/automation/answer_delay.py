"""The wait before an order or a plan answers.

An answer at the very moment of the question would tell everybody that its player had ordered or planned it.
So it comes some random seconds later, like that of a player who sits at the table and sends the whole turn.
"""

from datetime import datetime, timedelta
from random import SystemRandom

from django.conf import settings

_random = SystemRandom()


def is_answer_delayed(player_id: int | None, by_id: int | None) -> bool:
    """Return whether the answer of this player has to wait; in the player's own request it does not."""
    return settings.ANSWER_DELAY_SECONDS > 0 and player_id != by_id


def draw_answer_due_at(now: datetime, deadline: datetime | None) -> datetime:
    """Draw the time of the answer, which is before the deadline if there is one."""
    delay = timedelta(seconds=settings.ANSWER_DELAY_SECONDS * _random.uniform(0.5, 1.5))
    if deadline is not None:
        delay = min(delay, max(timedelta(), deadline - now) / 2)
    return now + delay
