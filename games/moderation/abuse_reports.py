"""Asking the moderators to look at something: a line of the talk, a person, a name, or a game."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from accounts.models import User
from games.chat.messages import plain
from games.models import AbuseReport, ChatMessage, Game
from games.models.abuse_report import REPORT_LENGTH
from games.players.admission import lock_user
from games.players.chat_access import chat_access
from games.refusals import ChatNotAllowed, EmptyMessage, MembersOnly, TextTooLong, TooManyReports

About, Trouble = AbuseReport.About, AbuseReport.Trouble

MOST_REPORTS = 20
DAY = timedelta(days=1)


@transaction.atomic
def report(*, line: ChatMessage, user: User, reason: str = "", trouble: str = Trouble.OTHER) -> AbuseReport:
    """Report a line that the user can read; once more is the same report, also when it was settled.

    Raises MayNotTalk, TooLong, TooManyReports and AccountClosed.
    """
    if line.channel not in chat_access(line.game, user).reads:
        raise ChatNotAllowed
    words = _words(reason)
    if known := AbuseReport.objects.filter(line=line, by=user).first():
        return known
    return _report(
        user, f"line {line.pk}", words, about=About.LINE, category=trouble, line=line, game=line.game,
        person=line.user,
    )  # fmt: skip


@transaction.atomic
def report_person(*, person: User, user: User, trouble: str, reason: str = "") -> AbuseReport:
    """Report somebody, or the name they bear; once more is the same report until it is settled.

    Raises MembersOnly for a guest, NothingSaid where only words say what the trouble is, TooLong,
    TooManyReports, AccountClosed, and ValueError for oneself.
    """
    if person == user:
        raise ValueError("Nobody reports themselves.")
    words = _words(reason, needed=trouble == Trouble.OTHER)
    if trouble == Trouble.NAME:
        # By another name it would be another report.
        subject = f"name {person.pk} {person.username.lower()}"
        return _report(
            user, subject, words, about=About.NAME, category=trouble, person=person, called=person.username
        )
    return _report(user, f"person {person.pk}", words, about=About.PERSON, category=trouble, person=person)


@transaction.atomic
def report_game(*, game: Game, user: User, trouble: str, reason: str = "") -> AbuseReport:
    """Report what goes on in a game, or what it is called; once more is the same report until it is settled.

    Raises the same as `report_person`, ValueError for a practice table.
    """
    if game.is_practice:
        raise ValueError("Nobody but its host sees a practice table.")
    words = _words(reason, needed=trouble == Trouble.OTHER)
    facts = {"about": About.GAME, "category": trouble, "game": game, "called": game.name}
    return _report(user, f"game {game.pk}", words, **facts)


def _words(reason: str, *, needed: bool = False) -> str:
    words = plain(reason)
    if needed and not words:
        raise EmptyMessage
    if len(words) > REPORT_LENGTH:
        raise TextTooLong(REPORT_LENGTH)
    return words


def _report(user: User, subject: str, words: str, **facts: Any) -> AbuseReport:
    """The open report of this user about this subject, a new one before the first."""
    if user.is_guest:
        raise MembersOnly
    lock_user(user)
    if known := AbuseReport.objects.filter(subject=subject, by=user, settled=None).first():
        return known
    if AbuseReport.objects.filter(by=user, made__gt=timezone.now() - DAY).count() >= MOST_REPORTS:
        raise TooManyReports(MOST_REPORTS)
    # What was handed on stays together with what comes after it.
    handed = AbuseReport.objects.filter(subject=subject, settled=None).aggregate(first=Min("escalated_at"))[
        "first"
    ]
    return AbuseReport.objects.create(subject=subject, by=user, reason=words, escalated_at=handed, **facts)
