"""When a computer moves, and how long before that it begins to think."""

from datetime import datetime, timedelta
from math import ceil

from django.conf import settings

from games.engine.bots.bot_levels import BOTS

# A computer's move comes so long after it fell due to it, and sooner when the same seat has just moved.
FIRST_MOVE_DELAY = timedelta(seconds=0.8)
NEXT_MOVE_DELAY = timedelta(seconds=0.4)

# Who still searches when its move is due makes it a whole number of these later.
LATE_STEP = timedelta(seconds=1)

# What a move takes besides the search: to read the game and to be written down.
HANDLING_TIME = timedelta(seconds=0.1)


def bot_due_at(now: datetime, *, again: bool) -> datetime:
    """When a computer makes a move that falls to it now; `again` if it has just moved.

    Every level keeps the same short schedule, whatever its search took, so that the time of an answer
    tells nothing; only one that is still searching by then moves later.
    """
    return now + (NEXT_MOVE_DELAY if again else FIRST_MOVE_DELAY) * settings.BOT_DELAY_FACTOR


def lateness(system: str, level: str, due: datetime, now: datetime) -> timedelta:
    """How long after it was due a move that is chosen by now is made.

    After a search that took longer than the schedule only whole steps: the rest would tell how long.
    """
    step = LATE_STEP * settings.BOT_DELAY_FACTOR
    if now <= due or not step or not search_time(system, level):
        return timedelta()
    return ceil((now - due) / step) * step


def search_start(system: str, level: str, due: datetime) -> datetime:
    """When to begin so that the move can be made when it is due; for a long search that is before now."""
    return due - search_time(system, level)


def search_time(system: str, level: str) -> timedelta:
    """How long before its move a computer of this level begins; nothing unless it searches.

    A level that the site does not know any more counts as one that does not.
    """
    bot = BOTS[system].get(level)
    if bot is None or bot.seconds is None:
        return timedelta()
    return timedelta(seconds=bot.seconds) + HANDLING_TIME
