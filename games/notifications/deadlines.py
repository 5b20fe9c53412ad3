"""Deadlines of what notifications are about: a decision, grace, or a vote."""

from datetime import datetime
from typing import Final

from games.models import Game, Kind, Notification
from games.notifications import delivery_times

# Kinds of which the time for the reader's answer ends with the clock of the game.
TIMED: Final = (Kind.DECISION, Kind.REMINDER, Kind.LATE, Kind.VOTE)

# Kinds that tell a player for whom a computer plays until when nobody else can take the seat over.
_OF_SEATS: Final = (Kind.LATE, Kind.MODERATED)


def deadline_of(row: Notification) -> datetime | None:
    """The deadline of what the notification is about; None without one, or while its clock stands still."""
    if row.kind == Kind.CHECK:
        return row.its_game.ready_by
    if row.kind not in TIMED:
        return None
    # The clock of a vote is that of the player who is late; all others are asked themselves.
    is_theirs = row.kind == Kind.VOTE or row.its_game.waiting_for_id == row.user_id
    return row.its_game.deadline if is_theirs else None


def latest_time(row: Notification) -> datetime | None:
    """The time up to which the notification may be put off; None for ever."""
    if row.game is None:
        return None
    ends = deadline_of(row) or kept_until(row.game, row.user_id, row.kind)
    if ends is None:
        return None
    since = delivery_times.reminder_due(row.game) if row.kind == Kind.REMINDER else row.made
    return delivery_times.latest(since, ends)


def kept_until(game: Game, user_id: int | None, kind: str) -> datetime | None:
    """The end of the time in which nobody else can take this player's seat over, if the kind tells of it."""
    if kind not in _OF_SEATS:
        return None
    return game.seats.filter(user=user_id).values_list("reserved_until", flat=True).first()
