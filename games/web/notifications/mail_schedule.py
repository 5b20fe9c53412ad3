"""The times at which mail comes, worded for the settings page and for mails."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.clocks.clock_hours import NIGHT_BEGINS, NIGHT_ENDS
from games.models import Channel, Kind, Notification
from games.notifications import deadlines, delivery_times, preferences
from games.notifications.delivery_history import wanted_kinds
from games.notifications.delivery_times import MAX_MAILS_A_DAY, MailTime
from games.notifications.outbox import outbox_rows
from games.web.notifications import notification_text
from games.web.text.game_titles import format_duration, titles_in_brackets

# Times to decide for which the page says when a mail and a reminder would come.
_EXAMPLES: Final = (timedelta(days=3), timedelta(days=1), timedelta(hours=6))

_LISTED = 5

# Shorter than the subjects of their mails, which name what is asked.
_ASKED: Final = {Kind.DECISION: gettext_lazy("Your turn"), Kind.REMINDER: gettext_lazy("Reminder")}


@dataclass(frozen=True)
class Example:
    """The time at which we write about a decision that is asked now, in words."""

    time: str
    mail: str
    reminder: str


@dataclass(frozen=True)
class Schedule:
    """The times of a member's mail: sentences, examples, and what waits, as pairs of what and when."""

    sentences: list[str]
    examples: list[Example]
    waiting: list[tuple[str, str]]


def schedule_of(user: User, now: datetime) -> Schedule:
    """Say when mail comes to the user."""
    sent = outbox_rows.mails_since_digest(user, now)
    limited_until = delivery_times.limited_until(user, now, sent)
    is_on = delivery_times.gets_mail(user, "")
    return Schedule(
        sentences=list(_sentences(user, now, sent)),
        examples=list(_examples(user, now, limited_until)) if is_on else [],
        waiting=list(_waiting(user, now, limited_until)),
    )


def limit_sentences(user: User, now: datetime, message_id: str) -> str:
    """Say in the last mail before the limit of a day what becomes of the rest."""
    sent = outbox_rows.mails_since_digest(user, now, message_id) + 1
    return " ".join(
        (
            ngettext(
                "With this one, you have had {n} email since {time}. That is our daily limit.",
                "With this one, you have had {n} emails since {time}. That is our daily limit.",
                sent,
            ).format(n=sent, time=_when(user, delivery_times.last_digest(user, now))),
            _("The rest will come in one email on {time} ({zone}).").format(
                time=_when(user, delivery_times.next_digest(user, now)), zone=user.tzinfo.key
            ),
            _("If that would leave you too little time for a move, we will email you earlier."),
        )
    )


def _sentences(user: User, now: datetime, sent: int) -> Iterator[str]:
    if user.mail_mode == User.MailMode.OFF:
        yield _("We do not email you about your games, except those you set to “Always”.")
        return
    yield _mode_sentence(user, now)
    if user.quiet_nights and user.mail_mode != User.MailMode.DIGEST:
        yield _("From {begin} to {end}, emails wait until morning.").format(
            begin=f"{NIGHT_BEGINS:%H:%M}", end=f"{NIGHT_ENDS:%H:%M}"
        )
    rest = _when(user, delivery_times.next_digest(user, now))
    if sent >= MAX_MAILS_A_DAY:
        yield ngettext(
            "You have had {n} email since {time}. The rest will come in one email on {rest}.",
            "You have had {n} emails since {time}. The rest will come in one email on {rest}.",
            sent,
        ).format(n=sent, time=_when(user, delivery_times.last_digest(user, now)), rest=rest)
    elif user.mail_mode != User.MailMode.DIGEST:
        yield ngettext(
            "After {n} email in a day, we send the rest in one email, next on {rest}.",
            "After {n} emails in a day, we send the rest in one email, next on {rest}.",
            MAX_MAILS_A_DAY,
        ).format(n=MAX_MAILS_A_DAY, rest=rest)
    yield _("If waiting would cost you more than half of your time, we email you earlier.")


def _mode_sentence(user: User, now: datetime) -> str:
    if user.mail_mode == User.MailMode.DIGEST:
        return _("Your next daily email goes out on {time}.").format(
            time=_when(user, delivery_times.next_digest(user, now))
        )
    if user.mail_mode == User.MailMode.DELAYED:
        return ngettext(
            "When it is your turn, we wait {n} minute for you to visit. Then we email you.",
            "When it is your turn, we wait {n} minutes for you to visit. Then we email you.",
            user.mail_delay,
        ).format(n=user.mail_delay)
    minutes = delivery_times.QUIET_AFTER_MOVE // timedelta(minutes=1)
    return ngettext(
        "When it is your turn, we email you right away. If you have just moved, we wait {n} minute.",
        "When it is your turn, we email you right away. If you have just moved, we wait {n} minutes.",
        minutes,
    ).format(n=minutes)


def _examples(user: User, now: datetime, limited_until: datetime | None) -> Iterator[Example]:
    wanted = wanted_kinds(user)
    for time in _EXAMPLES:
        ends, due = now + time, now + delivery_times.REMINDER_AFTER * time
        asked = delivery_times.mail_due(
            user, "", now, just_moved=False, ends=ends, limited_until=limited_until
        )
        reminder = delivery_times.mail_goes(
            user, "", due, delivery_times.latest(due, ends), limited_until=limited_until
        )
        yield Example(
            time=format_duration(time.total_seconds()),
            mail=_told(user, now, asked) if asked and (Kind.DECISION, Channel.MAIL) in wanted else _("never"),
            reminder=_told(user, now, reminder) if (Kind.REMINDER, Channel.MAIL) in wanted else _("never"),
        )


def _waiting(user: User, now: datetime, limited_until: datetime | None) -> Iterator[tuple[str, str]]:
    """The notifications that wait to be sent to the user, with the time at which they will go out."""
    rows = outbox_rows.sendable().filter(user=user, endpoint=None).select_related("game", "report", "user")
    for row in rows.order_by("due", "pk")[:_LISTED]:
        yield _what(row), _told(user, now, _planned(user, row, max(row.due, now), limited_until))


def _planned(user: User, row: Notification, due: datetime, limited_until: datetime | None) -> MailTime:
    """Return when a row that is due then goes out."""
    if row.digest:
        return MailTime(due, digest=True)
    attention = preferences.game_level(user, row.game) if row.game else ""
    return delivery_times.mail_goes(
        user, attention, due, deadlines.latest_time(row), limited_until=limited_until
    )


def _what(row: Notification) -> str:
    kind = Kind(row.kind)
    what = str(_ASKED[kind]) if kind in _ASKED else notification_text.subject(row)
    if row.game is None:
        return what
    return _("{what} ({game})").format(what=what, game=titles_in_brackets(row.game, row.user)[0])


def _told(user: User, now: datetime, mail: MailTime) -> str:
    if mail.at <= now:
        return _("right away")
    when = _when(user, mail.at)
    return _("{time}, in the daily email").format(time=when) if mail.digest else when


def _when(user: User, moment: datetime) -> str:
    return date_format(moment.astimezone(user.tzinfo), "D j M, H:i")
