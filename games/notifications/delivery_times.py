"""Times at which notifications are due."""

from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.clocks import game_clock
from games.models import Game, GameNotificationLevel

# A player who has just moved is probably still at the table, so the next decision waits at least this long.
QUIET_AFTER_MOVE = timedelta(minutes=3)

# The share of the time for a decision after which a reminder is sent.
REMINDER_AFTER = 0.8


def mail_due(user: User, attention: str, now: datetime, *, just_moved: bool) -> tuple[datetime, bool] | None:
    """Return when a mail on a new event is due and whether it waits for the digest; None for never."""
    rest = QUIET_AFTER_MOVE if just_moved else timedelta()
    if attention == GameNotificationLevel.Level.ALWAYS or user.mail_mode == User.MailMode.AT_ONCE:
        return now + rest, False
    if user.mail_mode == User.MailMode.DELAYED:
        return now + max(rest, mail_delay(user)), False
    if user.mail_mode == User.MailMode.DIGEST:
        return next_digest(user, now), True
    return None


def mail_delay(user: User) -> timedelta:
    """The time for which mails to the user are held back to collect more notifications."""
    minutes = user.mail_delay if user.mail_mode == User.MailMode.DELAYED else 0
    return timedelta(minutes=minutes)


def next_digest(user: User, now: datetime) -> datetime:
    """The time of the user's next digest, by their local clock."""
    local = now.astimezone(user.tzinfo)
    hour = local.replace(hour=user.digest_hour, minute=0, second=0, microsecond=0, fold=0)
    # Days are added on the clock, then read as an instant: a day may have 23 or 25 hours.
    days = (hour + timedelta(days=days) for days in range(-1, 3))
    return next(day.astimezone(UTC) for day in days if day.astimezone(UTC) > now)


def reminder_due(game: Game) -> datetime:
    """The time at which the player to move is reminded; the game must have a deadline."""
    return game_clock.instant_with_share_left(game, 1 - REMINDER_AFTER)
