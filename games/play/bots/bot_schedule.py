"""Times at which bots begin to search and move."""

from datetime import datetime, timedelta
from math import ceil

from django.conf import settings

from games.engine.bots.bot_levels import BOTS

# The delay before a bot's move, and the delay if the same seat has just moved.
FIRST_MOVE_DELAY = timedelta(seconds=0.8)
NEXT_MOVE_DELAY = timedelta(seconds=0.4)

# A search that lasts beyond the due time delays the move by a multiple of this.
LATE_STEP = timedelta(seconds=1)

# The time that a move takes besides the search: reading the game and saving the move.
HANDLING_TIME = timedelta(seconds=0.1)


def bot_due_at(now: datetime, *, again: bool) -> datetime:
    """The time at which a bot makes its next move; `again` if the same seat has just moved.

    Every level keeps the same short schedule, however long its search took, so that the time of an answer
    reveals nothing. Only a bot that is still searching by then moves later.
    """
    return now + (NEXT_MOVE_DELAY if again else FIRST_MOVE_DELAY) * settings.BOT_DELAY_FACTOR


def lateness(system: str, level: str, due: datetime, now: datetime) -> timedelta:
    """The delay, beyond its due time, of a move that is chosen at `now`.

    After a search that took longer than the schedule it is a whole number of steps, because the exact time
    would reveal how long the search took.
    """
    step = LATE_STEP * settings.BOT_DELAY_FACTOR
    if now <= due or not step or not search_time(system, level):
        return timedelta()
    return ceil((now - due) / step) * step


def search_start(system: str, level: str, due: datetime) -> datetime:
    """The time to begin a search so that it ends when the move is due; may be in the past."""
    return due - search_time(system, level)


def search_time(system: str, level: str) -> timedelta:
    """The time before its move at which a bot of this level begins to search; zero if it does not.

    A level that the site no longer knows counts as one that does not search.
    """
    bot = BOTS[system].get(level)
    if bot is None or bot.seconds is None:
        return timedelta()
    return timedelta(seconds=bot.seconds) + HANDLING_TIME
