"""Times in a running game, as precise as everybody may know them.

The exact time of an entry could tell a planned or ordered move from one that was made by hand. So the times
of entries are told to the minute until the game is over.
"""

from datetime import datetime, timedelta

from games.models import Game

# A clock with less than this left is shown to the second, which fast players need.
EXACT_BELOW = timedelta(hours=1)


def entry_time(game: Game, moment: datetime) -> datetime:
    """The time of an entry of the game, to the minute while it runs."""
    return to_minute(moment) if game.is_running else moment


def deadline_shown(deadline: datetime | None, now: datetime) -> datetime | None:
    """The deadline, to the minute while it is far off, because it follows the time of the last entry."""
    if deadline is None or deadline - now < EXACT_BELOW:
        return deadline
    return to_minute(deadline)


def to_minute(moment: datetime) -> datetime:
    """The beginning of the minute."""
    return moment.replace(second=0, microsecond=0)
