"""The last check of notifications before they are sent."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Max

from accounts.mail import outbox
from accounts.mail.addresses import confirmed_addresses
from accounts.mail.outbox import dropped, settled
from accounts.models import User
from games.log.end_proposals import open_proposal
from games.models import (
    DeliveryAttempt,
    Game,
    GameNotificationLevel,
    Invitation,
    Kind,
    LogEntry,
    MutedKind,
    Notification,
    OpenPage,
    UnsubscribedAddress,
)
from games.notifications import delivery_times
from games.notifications.outbox.outbox_rows import backoff_until
from games.players import blocks
from games.players.chat_access import is_unread

DAY = timedelta(days=1)
MAX_MAILS_A_DAY = 20

# A visible page holds a due notification back for no longer than this: nobody may be at the screen.
MAX_HOLD_WHILE_VIEWED = timedelta(hours=1)

# A page may be left at any moment, so check again this soon.
RECHECK_AFTER = timedelta(seconds=15)


class LastCheck:
    """The last check of one user's rows before they are sent: still true, wanted, and not seen."""

    def __init__(self, rows: Sequence[Notification], user: User | None, now: datetime) -> None:
        self.user, self.now = user, now
        games = {row.game_id for row in rows if row.game_id}
        self.address = self._address(rows)
        self.attention = dict(
            GameNotificationLevel.objects.filter(user=user, game__in=games).values_list("game", "level")
            if user
            else ()
        )
        self.muted = set(MutedKind.objects.filter(user=user).values_list("kind", flat=True) if user else ())
        self.seen = dict(
            OpenPage.objects.filter(user=user, game__in=games)
            .values_list("game")
            .annotate(Max("visible_until"))
            if user
            else ()
        )
        self.mails_today = _mails_today(user, now) if user else 0

    def _address(self, rows: Sequence[Notification]) -> str:
        if self.user:
            found = confirmed_addresses().filter(user=self.user).first()
            return found.email if found else ""
        invitation = rows[0].invitation if rows else None
        return invitation.address if invitation else ""

    def decide(self, row: Notification) -> dict[str, Any] | None:
        """Return the columns to set instead of sending the row; None when it may be sent."""
        if outbox.is_used_up(row):
            return settled(Notification.State.GIVEN_UP, outbox.LOST)
        if why := self._why_not(row):
            return dropped(why)
        if row.endpoint and (rested := backoff_until(row.endpoint)) and rested > self.now:
            return {"due": rested}
        if row.message_id:
            # An earlier attempt may have arrived, so this one goes out unchanged.
            return None
        if later := self._seen_until(row):
            return {"due": later, "first_due": None}
        if row.endpoint_id is None and self._waits_for_digest(row):
            assert self.user
            later = delivery_times.next_digest(self.user, self.now)
            return {"due": later, "first_due": None, "digest": True}
        return None

    def _why_not(self, row: Notification) -> str:
        if not _still_applies(row):
            return "over"
        attention = self._attention(row)
        if attention == GameNotificationLevel.Level.MUTE or row.kind in self.muted:
            return "muted"
        if row.endpoint_id is not None:
            return "endpoint given up" if row.endpoint and row.endpoint.stopped else ""
        if not self.address:
            return "no confirmed address"
        if self.user is None:
            return _why_not_to(self.address, row.who)
        if self.user.mail_stopped:
            return "mail stopped"
        if self.user.mail_mode == User.MailMode.OFF and attention != GameNotificationLevel.Level.ALWAYS:
            return "mail is off"
        return ""

    def _seen_until(self, row: Notification) -> datetime | None:
        """Return the time of the next check if the user sees the game or has just seen it, or None."""
        seen = self.seen.get(row.game_id) if row.game_id else None
        if self.user is None or seen is None or self._is_always(row):
            return None
        delay = delivery_times.mail_delay(self.user) if row.endpoint_id is None else timedelta()
        later = min(seen + delay, _longest_look(row, delay))
        return min(later, self.now + RECHECK_AFTER) if later > self.now else None

    def _waits_for_digest(self, row: Notification) -> bool:
        if self.user is None or row.digest:
            return False
        if self.mails_today >= MAX_MAILS_A_DAY:
            return True
        if self.user.mail_mode != User.MailMode.DIGEST or self._is_always(row):
            return False
        deadline = row.its_game.deadline if row.kind == Kind.REMINDER else None
        return deadline is None or deadline > delivery_times.next_digest(self.user, self.now)

    def _is_always(self, row: Notification) -> bool:
        return self._attention(row) == GameNotificationLevel.Level.ALWAYS

    def _attention(self, row: Notification) -> str:
        return self.attention.get(row.game_id, "") if row.game_id else ""


def _why_not_to(address: str, by: User | None) -> str:
    """Return why an invitation may not go to an address, or ""."""
    if UnsubscribedAddress.objects.filter(address__iexact=address).exists():
        return "address closed"
    # A member's preferences count also when the host invites by address.
    owner = User.objects.filter(emailaddress__in=confirmed_addresses().filter(email__iexact=address)).first()
    if owner is None:
        return ""
    if by is not None and blocks.is_blocked_between(owner, by):
        return "blocked"
    if owner.mail_stopped or owner.mail_mode == User.MailMode.OFF:
        return "mail is off"
    return "muted" if owner.muted_kinds.filter(kind=Kind.INVITATION).exists() else ""


def _mails_today(user: User, now: datetime) -> int:
    handed = DeliveryAttempt.objects.filter(
        user=user, endpoint=None, outcome=DeliveryAttempt.Outcome.HANDED_OVER
    )
    return handed.filter(at__gt=now - DAY, trial=False).count()


def _longest_look(row: Notification, delay: timedelta) -> datetime:
    """Return the time up to which a visible page may hold the row back; `delay` passes in any case."""
    if row.kind != Kind.REMINDER or row.its_game.deadline is None:
        return row.made + max(delay, delivery_times.QUIET_AFTER_MOVE) + MAX_HOLD_WHILE_VIEWED
    since = delivery_times.reminder_due(row.its_game)
    return since + min(MAX_HOLD_WHILE_VIEWED, (row.its_game.deadline - since) / 2)


def _still_applies(row: Notification) -> bool:
    """Return whether what the row says is still true."""
    if row.kind == Kind.REPORT:
        return row.report is not None and row.report.settled is not None
    game, kind = row.its_game, row.kind
    if kind in (Kind.DECISION, Kind.REMINDER):
        asked = game.is_running and (game.version, game.waiting_for_id) == (row.version, row.user_id)
        return asked and not (kind == Kind.DECISION and _was_reminded(row))
    if kind == Kind.VOTE:
        return game.is_running and game.seats.filter(replacement_vote_open=True).exists()
    if kind == Kind.LATE:
        return game.is_running and _is_late(row)
    if kind == Kind.ENDING:
        return game.is_running and _is_to_answer(row)
    if kind == Kind.STARTED:
        return game.is_running and not game.moves.filter(user=row.user_id).exists()
    if kind == Kind.FINISHED:
        return game.is_finished
    if kind == Kind.MENTION:
        return row.line is not None and row.user is not None and is_unread(row.line, row.user)
    if kind == Kind.INVITATION:
        pending = row.invitation is not None and row.invitation.state == Invitation.State.PENDING
        return game.is_open and pending
    if kind == Kind.REMOVED:
        return not game.seats.filter(user=row.user_id).exists()
    if kind == Kind.MODERATED:
        return _STILL.get(row.moderator_action, _always)(game)
    if kind == Kind.CLOSED:
        return game.status == Game.Status.CLOSED
    if kind == Kind.READY and game.seats_taken < game.min_players:
        return False
    if kind in (Kind.JOINED, Kind.LEFT) and _sits_there(row) != (kind == Kind.JOINED):
        return False
    return game.is_open and game.host_id == row.user_id


def _always(game: Game) -> bool:
    return True


# Actions of moderators that can be undone; all others always apply.
_STILL: Final[dict[str, Callable[[Game], bool]]] = {
    "pause": lambda game: game.held_at is not None,
    "resume": lambda game: game.held_at is None,
    "delete": lambda game: game.deleted is not None,
    "restore": lambda game: game.deleted is None,
    "unlist": lambda game: game.unlisted is not None,
    "list": lambda game: game.unlisted is None,
}


def _is_late(row: Notification) -> bool:
    """Return whether a stand-in still plays for the user, or the user's grace still runs."""
    if row.its_game.seats.filter(user=row.user_id, replaced_at__isnull=False).exists():
        return True
    moves = row.its_game.moves.filter(number__gt=row.version, kind=LogEntry.Kind.MOVE)
    return row.its_game.waiting_for_id == row.user_id and not moves.exists()


def _is_to_answer(row: Notification) -> bool:
    """Return whether the user has not answered the end proposal yet."""
    seats = list(row.its_game.seats.all())
    found = open_proposal(row.its_game, seats)
    missing = () if found is None else found.missing
    return any(seat.user_id == row.user_id and seat.number in missing for seat in seats)


def _sits_there(row: Notification) -> bool:
    """Return whether the user that the row is about has a seat in its game."""
    return row.its_game.seats.filter(user=row.who_id).exists()


def _was_reminded(row: Notification) -> bool:
    """Return whether the reminder of this decision has already been sent."""
    if row.its_game.deadline is None:
        return False
    same = {"user": row.user_id, "game": row.game_id, "version": row.version, "endpoint": row.endpoint_id}
    reminders = Notification.objects.filter(kind=Kind.REMINDER, state=Notification.State.SENT)
    return reminders.filter(**same).exists()
