"""Abuse reports by members: of a chat message, a person, a name or a game."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from accounts.models import User
from games.chat.messages import plain
from games.models import AbuseReport, ChatMessage, Game
from games.models.abuse_report import MAX_REPORT_LENGTH
from games.players.admission import lock_user
from games.players.chat_access import chat_access, lines_in
from games.refusals import ChatNotAllowed, EmptyMessage, MembersOnly, TextTooLong, TooManyReports

About, Trouble = AbuseReport.About, AbuseReport.Trouble

MAX_REPORTS = 20
DAY = timedelta(days=1)


@transaction.atomic
def report(*, line: ChatMessage, user: User, reason: str = "", trouble: str = Trouble.OTHER) -> AbuseReport:
    """Report a message that the user can read; reporting it again returns the same report.

    Raises ChatNotAllowed, TextTooLong, TooManyReports and AccountClosed.
    """
    readable = lines_in(line.game.lines.filter(pk=line.pk), user, chat_access(line.game, user).reads)
    if not readable.exists():
        raise ChatNotAllowed
    words = _words(reason)
    if known := AbuseReport.objects.filter(line=line, by=user).first():
        return _again(known)
    return _report(
        user, f"line {line.pk}", words, about=About.LINE, category=trouble, line=line, game=line.game,
        person=line.user,
    )  # fmt: skip


@transaction.atomic
def report_person(*, person: User, user: User, trouble: str, reason: str = "") -> AbuseReport:
    """Report a person or the person's name; again returns the same report until it is settled.

    Raises MembersOnly for a guest, EmptyMessage if the kind of trouble needs words, TextTooLong,
    TooManyReports, AccountClosed, and ValueError for oneself.
    """
    if person == user:
        raise ValueError("Nobody reports themselves.")
    words = _words(reason, needed=trouble == Trouble.OTHER)
    if trouble == Trouble.NAME:
        # With another name it would be another report.
        subject = f"name {person.pk} {person.username.lower()}"
        return _report(
            user, subject, words, about=About.NAME, category=trouble, person=person, called=person.username
        )
    return _report(user, f"person {person.pk}", words, about=About.PERSON, category=trouble, person=person)


@transaction.atomic
def report_game(*, game: Game, user: User, trouble: str, reason: str = "") -> AbuseReport:
    """Report a game or its name; again returns the same report until it is settled.

    Raises the same as `report_person`, and ValueError for a practice table.
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
    if len(words) > MAX_REPORT_LENGTH:
        raise TextTooLong(MAX_REPORT_LENGTH)
    return words


def _again(known: AbuseReport) -> AbuseReport:
    known.is_repeated = True
    return known


def _report(user: User, subject: str, words: str, **facts: Any) -> AbuseReport:
    """Return the user's open report about the subject; make one if there is none."""
    if user.is_guest:
        raise MembersOnly
    lock_user(user)
    if known := AbuseReport.objects.filter(subject=subject, by=user, settled=None).first():
        return _again(known)
    if AbuseReport.objects.filter(by=user, made__gt=timezone.now() - DAY).count() >= MAX_REPORTS:
        raise TooManyReports(MAX_REPORTS)
    # Reports about an escalated subject are escalated, too.
    handed = AbuseReport.objects.filter(subject=subject, settled=None).aggregate(first=Min("escalated_at"))[
        "first"
    ]
    return AbuseReport.objects.create(subject=subject, by=user, reason=words, escalated_at=handed, **facts)
