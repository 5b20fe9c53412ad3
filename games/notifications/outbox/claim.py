"""Claim due notifications, so that one worker sends them as one mail or one message."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.mail.outbox import can_skip_locked, claim_row
from accounts.models import User
from games.models import Endpoint, Kind, Notification
from games.notifications import delivery_times
from games.notifications.outbox.last_check import LastCheck
from games.notifications.outbox.outbox_rows import sendable


@dataclass(frozen=True)
class Claim:
    """Rows that one worker may send now, as one mail or one message.

    `address` is where a mail goes; without `user` it belongs to no member. `reaches_limit` says that the mail
    tells of the limit of a day.
    """

    rows: Sequence[Notification]
    user: User | None
    address: str = ""
    endpoint: Endpoint | None = None
    reaches_limit: bool = False

    @property
    def message_id(self) -> str:
        return self.rows[0].message_id

    @property
    def is_digest(self) -> bool:
        return any(row.digest for row in self.rows)


def claim_letter() -> Claim | None:
    """Claim all rows due for one person, for one mail; None when nothing is due."""
    return _claim_next(mail=True)


def claim_message() -> Claim | None:
    """Claim one message for an endpoint; None when nothing is due."""
    return _claim_next(mail=False)


def _claim_next(*, mail: bool) -> Claim | None:
    passed: set[int] = set()
    now = timezone.now()
    due = sendable().filter(due__lte=now, endpoint__isnull=mail).order_by("due", "pk")
    # Read without a transaction first: on SQLite each transaction keeps all others from writing.
    while (first := due.exclude(pk__in=passed).first()) is not None:
        passed.add(first.pk)
        with transaction.atomic():
            claim = _claim_mail(first, now) if mail else _claim_for_endpoint(first, now)
        if claim is not None:
            return claim
    return None


def _claim_mail(first: Notification, now: datetime) -> Claim | None:
    if first.user_id is None:
        return _claim(_locked(sendable().filter(pk=first.pk)), now, None)
    user = _one_at_a_time(first.user_id)
    if user is None:
        return None
    theirs = sendable().filter(user=user, endpoint=None, message_id=first.message_id)
    due = Q(due__lte=now)
    if not first.message_id:
        # Include rows that are due within the delay.
        due |= Q(due__lte=now + delivery_times.mail_delay(user), digest=False) & ~Q(kind=Kind.REMINDER)
        # A question says in the same mail why a moderator has changed the position.
        due |= Q(kind=Kind.MODERATED, game__in=theirs.filter(due, kind=Kind.DECISION).values("game"))
    return _claim(_locked(theirs.filter(due)), now, user)


def _claim_for_endpoint(first: Notification, now: datetime) -> Claim | None:
    rows = _locked(sendable().filter(pk=first.pk, due__lte=now))
    return _claim(rows, now, rows[0].user if rows else None)


def _one_at_a_time(user_id: int) -> User | None:
    """Lock the user so that only one worker writes to them at a time; None while another does."""
    return (
        User.objects.select_for_update(no_key=True, skip_locked=can_skip_locked()).filter(pk=user_id).first()
    )


def _locked(rows: QuerySet[Notification]) -> list[Notification]:
    """Lock and return the rows, oldest first, with their relations; rows locked by others are left out."""
    found = rows.select_for_update(of=("self",), skip_locked=can_skip_locked())
    return list(found.select_related("game", "invitation", "line", "user", "endpoint").order_by("made", "pk"))


def _claim(rows: list[Notification], now: datetime, user: User | None) -> Claim | None:
    """Check the rows again, drop or postpone those that must not go now, and claim the rest."""
    look = LastCheck(rows, user, now)
    verdicts = [(row, look.decide(row)) for row in rows]
    kept = []
    for row, verdict in verdicts:
        if verdict is None:
            kept.append(row)
        else:
            Notification.objects.filter(pk=row.pk, state=Notification.State.WAITING).update(**verdict)
    if not any(row.due <= now for row in kept):
        # None of the rows left is due yet.
        return None
    message_id = kept[0].message_id or _new_message_id(kept[0])
    claimed = [row for row in kept if claim_row(row, now, message_id)]
    if not claimed:
        return None
    tells_limit = claimed[0].endpoint_id is None and look.tells_limit()
    if tells_limit != claimed[0].tells_limit:
        Notification.objects.filter(pk__in=[row.pk for row in claimed]).update(tells_limit=tells_limit)
    return Claim(claimed, user, look.address, claimed[0].endpoint, tells_limit)


def _new_message_id(row: Notification) -> str:
    return f"<notice.{row.pk}.{row.version}@{urlsplit(settings.SITE_URL).hostname}>"
