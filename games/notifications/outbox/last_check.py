"""The last check of notifications before they are sent."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.mail import outbox
from accounts.mail.addresses import confirmed_addresses
from accounts.mail.outbox import dropped, settled
from accounts.models import User
from games.log.concession_wishes import wishes
from games.log.end_proposals import EndProposal, open_proposal
from games.log.pace_proposals import PaceProposal, open_pace_proposal, proposed_pace
from games.models import (
    Channel,
    Game,
    GameNotificationLevel,
    GameOutcome,
    Invitation,
    Kind,
    LogEntry,
    MutedKind,
    Notification,
    RatingLedger,
    UnsubscribedAddress,
)
from games.notifications import deadlines, delivery_times
from games.notifications.delivery_times import MAX_MAILS_A_DAY, MailTime
from games.notifications.outbox import outbox_rows
from games.notifications.outbox.eyewitnesses import Eyewitness
from games.notifications.outbox.outbox_rows import backoff_until
from games.players import blocks
from games.players.chat_access import is_unread

# A visible page holds a due notification back for no longer than this: nobody may be at the screen.
MAX_HOLD_WHILE_VIEWED = timedelta(hours=1)

# The end of a game is told with the change of the rating, which is counted after it, if that takes no longer.
MAX_WAIT_FOR_RATING = timedelta(minutes=2)
ASK_FOR_RATING_AFTER = timedelta(seconds=5)

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
        self.muted = set(MutedKind.objects.filter(user=user).values_list("kind", "channel") if user else ())
        self.witness = Eyewitness(user, games)
        self.message_id = rows[0].message_id if rows else ""
        self.mails_today = outbox_rows.mails_since_digest(user, now, self.message_id) if user else 0

    def tells_limit(self) -> bool:
        """Return whether the mail that goes now says that the limit of a day is reached.

        Usually it is the last before the limit. But mails may fail and be tried again in another order, so
        the limit is told as soon as it is reached, unless another mail tells it. The user must be locked.
        """
        if self.user is None or self.mails_today < MAX_MAILS_A_DAY - 1:
            return False
        return not outbox_rows.is_limit_told(self.user, self.now, self.message_id)

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
        if self._is_time_over(row):
            # The sweeper is about to settle this, or to give time back after an outage.
            return {"due": self.now + RECHECK_AFTER, "first_due": None, "message_id": ""}
        if row.message_id:
            # An earlier attempt may have arrived, so this one goes out unchanged.
            return None
        if self._waits_for_rating(row):
            return {"due": max(row.due, self.now + ASK_FOR_RATING_AFTER), "first_due": None}
        if later := self._seen_until(row):
            return {"due": later, "first_due": None}
        if mail := self._later_mail(row):
            return {"due": mail.at, "first_due": None, "digest": mail.digest}
        return None

    def _why_not(self, row: Notification) -> str:
        if not _still_applies(row):
            return "over"
        attention = self._attention(row)
        if attention == GameNotificationLevel.Level.MUTE or (row.kind, _channel(row)) in self.muted:
            return "muted"
        if not self._is_always(row) and self.witness.has_seen(row):
            return "seen"
        if row.endpoint_id is not None:
            return "endpoint given up" if row.endpoint and row.endpoint.stopped else ""
        if not self.address:
            return "no confirmed address"
        if self.user is None:
            return _why_not_to(self.address, row.who)
        if self.user.mail_stopped:
            return "mail stopped"
        return "" if delivery_times.gets_mail(self.user, attention) else "mail is off"

    def _seen_until(self, row: Notification) -> datetime | None:
        """Return the time of the next check if the user sees the game or has just seen it, or None."""
        seen = self.witness.pages.get(row.game_id) if row.game_id else None
        if self.user is None or seen is None or self._is_always(row):
            return None
        delay = delivery_times.mail_delay(self.user) if row.endpoint_id is None else timedelta()
        later = min(seen + delay, _longest_look(row, delay))
        return min(later, self.now + RECHECK_AFTER) if later > self.now else None

    def _later_mail(self, row: Notification) -> MailTime | None:
        """Return the later mail that the row waits for, or None; the daily mail waits for nothing."""
        if self.user is None or row.endpoint_id is not None or row.digest:
            return None
        mail = delivery_times.mail_goes(
            self.user,
            self._attention(row),
            self.now,
            deadlines.latest_time(row),
            limited_until=delivery_times.limited_until(self.user, self.now, self.mails_today),
        )
        return mail if mail.at > self.now else None

    def _waits_for_rating(self, row: Notification) -> bool:
        """Return whether the end of a game must wait for its rating; the daily mail waits for nothing."""
        if row.kind != Kind.FINISHED or row.digest or self.now >= row.made + MAX_WAIT_FOR_RATING:
            return False
        game = row.its_game
        if not game.rated or game.ending == Game.Ending.UNRATED:
            return False
        uncounted = GameOutcome.objects.filter(game=game, due__isnull=False)
        stale = RatingLedger.objects.filter(system=game.system, recount_from__lte=game.finished)
        return uncounted.exists() or stale.exists()

    def _is_time_over(self, row: Notification) -> bool:
        ends = deadlines.deadline_of(row)
        return ends is not None and ends <= self.now

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
    return "muted" if owner.muted_kinds.filter(kind=Kind.INVITATION, channel=Channel.MAIL).exists() else ""


def _longest_look(row: Notification, delay: timedelta) -> datetime:
    """Return the time up to which a visible page may hold the row back; `delay` passes in any case."""
    limit = deadlines.latest_time(row)
    if row.kind == Kind.REMINDER and limit is not None:
        since = delivery_times.reminder_due(row.its_game)
    else:
        since = row.made + max(delay, delivery_times.QUIET_AFTER_MOVE)
    longest = since + MAX_HOLD_WHILE_VIEWED
    return longest if limit is None else min(longest, limit)


def _channel(row: Notification) -> Channel:
    return row.endpoint.channel if row.endpoint else Channel.MAIL


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
    if kind == Kind.CONCESSION:
        return game.is_running and _is_wished(row)
    if kind == Kind.STARTED:
        return game.is_running and not game.moves.filter(user=row.user_id).exists() and not _was_asked(row)
    if kind == Kind.FINISHED:
        return game.is_finished
    if kind == Kind.MENTION:
        return row.line is not None and row.user is not None and is_unread(row.line, row.user)
    if kind == Kind.INVITATION:
        pending = row.invitation is not None and row.invitation.state == Invitation.State.PENDING
        return game.is_open and pending
    if kind in (Kind.REMOVED, Kind.SEAT):
        return not game.seats.filter(user=row.user_id).exists()
    if kind == Kind.CHECK:
        unready = game.seats.filter(user=row.user_id, is_ready=False)
        return game.ready_by is not None and game.paused is None and unready.exists()
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
    if row.about:
        # The row tells only of the seat that a computer has.
        return False
    moves = row.its_game.moves.filter(number__gt=row.version, kind=LogEntry.Kind.MOVE)
    return row.its_game.waiting_for_id == row.user_id and not moves.exists()


def _is_to_answer(row: Notification) -> bool:
    """Return whether the user has not answered the proposal yet, to end the game or to change its pace."""
    seats = list(row.its_game.seats.all())
    found: EndProposal | PaceProposal | None
    if pace := proposed_pace(row.its_game, row.version):
        found = open_pace_proposal(row.its_game, seats)
        found = found if found is not None and found.pace == pace else None
    else:
        found = open_proposal(row.its_game, seats)
    missing = () if found is None else found.missing
    return any(seat.user_id == row.user_id and seat.number in missing for seat in seats)


def _is_wished(row: Notification) -> bool:
    """Return whether the partner that the row is about wants to concede, and its user has not said so."""
    seat_of = {seat.user_id: seat.number for seat in row.its_game.seats.all()}
    wish = wishes(row.its_game)
    return seat_of.get(row.who_id) in wish and seat_of.get(row.user_id) not in wish


def _sits_there(row: Notification) -> bool:
    """Return whether the user that the row is about has a seat in its game."""
    return row.its_game.seats.filter(user=row.who_id).exists()


def _was_asked(row: Notification) -> bool:
    """Return whether the user has been asked for a decision of this game in the same way."""
    same = {"user": row.user_id, "game": row.game_id, "endpoint": row.endpoint_id}
    asked = Notification.objects.filter(kind=Kind.DECISION, state=Notification.State.SENT)
    return asked.filter(**same).exists()


def _was_reminded(row: Notification) -> bool:
    """Return whether the reminder of this decision has already been sent."""
    if row.its_game.deadline is None:
        return False
    same = {"user": row.user_id, "game": row.game_id, "version": row.version, "endpoint": row.endpoint_id}
    reminders = Notification.objects.filter(kind=Kind.REMINDER, state=Notification.State.SENT)
    return reminders.filter(**same).exists()
