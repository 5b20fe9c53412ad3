"""Times at which notifications go out: by the member's choices, and in time for their deadline.

Whatever puts a notification off asks `in_time`: a delay, the daily mail, the limit of mails a day, a night
without mail, an open page. All functions but `reminder_due` are pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.clocks import game_clock
from games.clocks.clock_hours import ClockHours
from games.models import Game, GameNotificationLevel

# A player who has just moved is probably still at the table, so the next decision waits at least this long.
QUIET_AFTER_MOVE = timedelta(minutes=3)

# The share of the time for a decision after which a reminder is sent.
REMINDER_AFTER = 0.8

# Mails from one daily mail to the next; what is not urgent then waits for the next one.
MAX_MAILS_A_DAY = 20


@dataclass(frozen=True)
class MailTime:
    """The time at which a mail goes out, and whether that is the daily mail."""

    at: datetime
    digest: bool = False


def latest(since: datetime, ends: datetime | None) -> datetime | None:
    """The time up to which a notification may be put off; None for ever.

    `ends` is the deadline of what it is about, None without one. Half of the time from `since`, when it would
    go if nothing put it off, is left to the reader.
    """
    return None if ends is None else since + (ends - since) / 2


def in_time(choices: Sequence[MailTime], not_after: datetime | None) -> MailTime:
    """The first of these times that is early enough by `latest`; else the last, which puts nothing off."""
    return next((choice for choice in choices if not_after is None or choice.at <= not_after), choices[-1])


def mail_due(
    user: User,
    attention: str,
    now: datetime,
    *,
    just_moved: bool,
    ends: datetime | None = None,
    limited_until: datetime | None = None,
) -> MailTime | None:
    """Return when a mail on a new event is due; None for never."""
    if not gets_mail(user, attention):
        return None
    rest = QUIET_AFTER_MOVE if just_moved else timedelta()
    waited = now + (rest if _is_always(attention) else max(rest, mail_delay(user)))
    usual = _next_mail(user, attention, now, limited_until)
    if not usual.digest:
        usual = _next_mail(user, attention, waited, limited_until)
    return in_time((usual, MailTime(waited), MailTime(now)), latest(now, ends))


def mail_goes(
    user: User,
    attention: str,
    due: datetime,
    not_after: datetime | None,
    *,
    limited_until: datetime | None = None,
) -> MailTime:
    """Return when a mail that is due then goes out: at once, after the night, or with the daily mail."""
    return in_time((_next_mail(user, attention, due, limited_until), MailTime(due)), not_after)


def message_due(now: datetime, *, just_moved: bool, ends: datetime | None = None) -> datetime:
    """Return when a message to an endpoint about a new event is due."""
    waited = now + QUIET_AFTER_MOVE if just_moved else now
    return in_time((MailTime(waited), MailTime(now)), latest(now, ends)).at


def gets_mail(user: User, attention: str) -> bool:
    """Return whether the user wants mail about a game with this notification level."""
    return user.mail_mode != User.MailMode.OFF or _is_always(attention)


def mail_delay(user: User) -> timedelta:
    """The time for which mails to the user are held back to collect more notifications."""
    minutes = user.mail_delay if user.mail_mode == User.MailMode.DELAYED else 0
    return timedelta(minutes=minutes)


def after_night(user: User, now: datetime) -> datetime:
    """The end of the night, if the user wants no mail at night and it is night there; else now."""
    begin, _end = next(ClockHours(user.tzinfo, nights=user.quiet_nights).since(now))
    return begin


def next_digest(user: User, now: datetime) -> datetime:
    """The time of the user's next digest, by their local clock."""
    return next(time for time in _digests(user, now) if time > now)


def last_digest(user: User, now: datetime) -> datetime:
    """The time of the user's last digest, now included: from then on mails count towards the limit."""
    return max(time for time in _digests(user, now) if time <= now)


def limited_until(user: User, now: datetime, mails: int) -> datetime | None:
    """The end of the limit that is reached by this many mails since the last digest; None below it."""
    return next_digest(user, now) if mails >= MAX_MAILS_A_DAY else None


def reminder_due(game: Game) -> datetime:
    """The time at which the player to move is reminded; the game must have a deadline."""
    return game_clock.instant_with_share_left(game, 1 - REMINDER_AFTER)


def _next_mail(user: User, attention: str, due: datetime, limited_until: datetime | None) -> MailTime:
    """Return when a mail that is due then goes out, if it is about nothing that has a deadline."""
    if limited_until is not None and due < limited_until:
        return MailTime(limited_until, digest=True)
    if _is_always(attention):
        return MailTime(due)
    if user.mail_mode == User.MailMode.DIGEST:
        return MailTime(next_digest(user, due), digest=True)
    return MailTime(after_night(user, due))


def _digests(user: User, now: datetime) -> Iterable[datetime]:
    """The times of the user's digests around now, in order."""
    local = now.astimezone(user.tzinfo)
    hour = local.replace(hour=user.digest_hour, minute=0, second=0, microsecond=0, fold=0)
    # Days are added on the clock, then read as an instant: a day may have 23 or 25 hours.
    return [(hour + timedelta(days=days)).astimezone(UTC) for days in range(-2, 3)]


def _is_always(attention: str) -> bool:
    return attention == GameNotificationLevel.Level.ALWAYS
