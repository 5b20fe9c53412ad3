"""Times at which bots begin to search and move."""

from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil

from django.conf import settings

from games.engine.bots.bot_levels import BOTS
from games.models import Game

# The delay before a bot's move, and the delay if the same seat has just moved.
FIRST_MOVE_DELAY = timedelta(seconds=0.8)
NEXT_MOVE_DELAY = timedelta(seconds=0.4)

# In a live game people watch each move, so bots take their time: from the first to the second of these, and
# this part of it if the same seat has just moved.
LIVE_DELAYS = (timedelta(seconds=1), timedelta(seconds=4))
LIVE_NEXT_PART = 0.4

# A search that lasts beyond the due time delays the move by a multiple of this.
LATE_STEP = timedelta(seconds=1)

# The time that a move takes besides the search: reading the game and saving the move.
HANDLING_TIME = timedelta(seconds=0.1)


def bot_due_at(game: Game, now: datetime, *, again: bool) -> datetime:
    """The time at which a bot makes its next move in this game; `again` if the same seat has just moved.

    Every level keeps the same schedule, however long its search took, so that the time of an answer reveals
    nothing. Only a bot that is still searching by then moves later.
    """
    if game.is_live:
        delay = _live_delay(game) * (LIVE_NEXT_PART if again else 1)
    else:
        delay = NEXT_MOVE_DELAY if again else FIRST_MOVE_DELAY
    return now + delay * settings.BOT_DELAY_FACTOR


def _live_delay(game: Game) -> timedelta:
    """A delay that varies from move to move, drawn from what everybody knows and from nothing else."""
    drawn = sha256(f"{game.public_id} {game.version}".encode()).digest()
    shortest, longest = LIVE_DELAYS
    return shortest + (longest - shortest) * (int.from_bytes(drawn[:4], "big") / 2**32)


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
