"""Write notifications to the outbox, in the transaction of the event.

Whether a row still applies, and whether its reader has seen the game since, is checked when it is sent
(`games.notifications.outbox`).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from games.log.positions import rollback_target
from games.models import AbuseReport, ChatMessage, Game, Invitation, Kind, LogEntry, Notification
from games.notifications import delivery_times
from games.notifications.outbox import outbox_rows
from games.notifications.recipients import Recipient, recipients
from games.realtime import worker_queue

# Kinds that the next move makes obsolete.
_ASKING = (Kind.DECISION, Kind.REMINDER)

# An answer that its worker missed is played by the sweeper within this time.
AFTER_ANSWER = timedelta(seconds=20)

_JOINED_OR_LEFT = (Kind.JOINED, Kind.LEFT)


def notify_entry(game: Game, entry: LogEntry) -> None:
    """Notify players of the next decision, or of the end, after a log entry."""
    if entry.kind == LogEntry.Kind.RULING and rollback_target(entry) is None and _is_still_asked(game):
        clock_changed(game)
        return
    _withdraw(game)
    if game.is_finished:
        _queue(game, _players(game), Kind.FINISHED, entry.reason)
    elif game.waiting_for_id is not None:
        _queue_decision(game, just_moved=entry.user_id == game.waiting_for_id)


def game_started(game: Game) -> None:
    """Notify the players that their game has started, and the first player that it is their turn."""
    players = _players(game)
    if len(players) > 1:
        # With one human player, that player has started the game and knows.
        _queue(game, players, Kind.STARTED)
    if game.waiting_for_id is not None:
        _queue_decision(game, just_moved=len(players) == 1)


def clock_changed(game: Game) -> None:
    """Reschedule the reminder of the player to move after the clock was stopped or set."""
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.REMINDER)
    if game.deadline is None:
        waiting.delete()
        return
    due = delivery_times.reminder_due(game)
    waiting.update(due=due)
    rows: list[Notification] = []
    for recipient in recipients(game, [game.waiting_for_id] if game.waiting_for_id else []):
        rows += _rows(recipient, game, Kind.REMINDER, game.version, due=due)
    _write(rows)  # a reminder that was sent already is not written again


def asked_to_vote(game: Game, user_ids: Iterable[int]) -> None:
    """Notify players of a vote on a late player."""
    _queue(game, user_ids, Kind.VOTE)


def notify_timeout(game: Game, user_id: int) -> None:
    """Notify a player that their time is over."""
    _queue(game, [user_id], Kind.LATE)


def proposed(game: Game, user_ids: Iterable[int], by: User) -> None:
    """Notify players of an end proposal."""
    _queue(game, user_ids, Kind.ENDING, by.get_short_name(), who=by)


def proposal_over(game: Game, user: User | None = None) -> None:
    """Drop the notifications of an end proposal, or only those of the user, who has answered it."""
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.ENDING)
    (waiting.filter(user=user) if user else waiting).update(**outbox_rows.dropped("decided"))


def notify_host(game: Game, kind: Kind, who: User | None = None) -> None:
    """Notify the host of an event in an open game; drops earlier notifications that it replaces."""
    same = _JOINED_OR_LEFT if kind in _JOINED_OR_LEFT else (kind,)
    outbox_rows.waiting().filter(game=game, user=game.host_id, kind__in=same, who=who).update(
        **outbox_rows.dropped("overtaken")
    )
    _queue(game, [game.host_id], kind, who.get_short_name() if who else "", who=who)


def seat_taken(game: Game, user: User) -> None:
    """Notify the host that a member has joined."""
    notify_host(game, Kind.JOINED, user)


def seat_left(game: Game, user: User) -> None:
    """Notify the host that a member has left; does nothing for the host, see `host_changed`."""
    if game.host_id != user.pk:
        notify_host(game, Kind.LEFT, user)


def host_changed(game: Game, old: User) -> None:
    """Notify the new host that the old one has left."""
    notify_host(game, Kind.HOST, old)


def kicked(game: Game, user: User, reason: str) -> None:
    """Notify a member that the host has sent them away, and why."""
    _queue(game, [user.pk], Kind.REMOVED, reason)


def game_ready(game: Game) -> None:
    """Notify the host that the game may start."""
    notify_host(game, Kind.READY)


def closing_soon(game: Game) -> None:
    """Notify the host that the game will be closed unless it starts before."""
    notify_host(game, Kind.CLOSING)


def game_closed(game: Game, reason: str) -> None:
    """Notify the players that nobody started the game in time; `reason` is that of `stale_games.close_game`.

    Does nothing for other reasons: an empty game has no players, and moderators call `notify_closed`.
    """
    if reason == "stale":
        notify_closed(game)


def notify_closed(game: Game, reason: str = "") -> None:
    """Notify the players that an open game was closed, with the moderator's reason if there is one."""
    _queue(game, _players(game), Kind.CLOSED, reason)


def notify_moderated(game: Game, user_ids: Iterable[int], deed: str, reason: str) -> None:
    """Notify these users of a moderator's action, by its name, and of the reason."""
    _queue(game, user_ids, Kind.MODERATED, reason, deed=deed)


def at_the_table(game: Game) -> list[int]:
    """The ids of the players, and of the host before the start."""
    return _players(game) if game.is_dealt else sorted({*_players(game), game.host_id})


def ask_again(game: Game) -> None:
    """Notify the player to move of the current decision once more, or for the first time."""
    told = Notification.objects.filter(
        game=game, kind=Kind.DECISION, version=game.version, user=game.waiting_for_id
    ).exclude(state=Notification.State.WAITING)
    told.update(**outbox_rows.resend_columns())
    _queue_decision(game, just_moved=False)
    transaction.on_commit(worker_queue.request_delivery, robust=True)


def mentioned(game: Game, line: ChatMessage, user_ids: Iterable[int]) -> None:
    """Notify these users that a chat message mentions them."""
    _queue(game, user_ids, Kind.MENTION, line.user.get_short_name(), who=line.user, line=line)


def report_settled(report: AbuseReport) -> None:
    """Notify the reporter that their abuse report was settled."""
    rows: list[Notification] = []
    for recipient in recipients(None, [report.by_id]):
        rows += _rows(recipient, None, Kind.REPORT, 0)
    for row in rows:
        row.report = report
    _write(rows)


def invited(game: Game, invitation: Invitation) -> None:
    """Notify a member, or the holder of an address, of an invitation."""
    who = invitation.invited_by
    about = who.get_short_name()
    if invitation.user_id is not None:
        _queue(game, [invitation.user_id], Kind.INVITATION, about, who=who, invitation=invitation)
    else:
        told = Notification(game=game, kind=Kind.INVITATION, about=about, who=who, invitation=invitation)
        told.due = timezone.now()
        _write([told])


def _queue_decision(game: Game, *, just_moved: bool) -> None:
    rows: list[Notification] = []
    for recipient in recipients(game, [game.waiting_for_id] if game.waiting_for_id else []):
        rows += _rows(recipient, game, Kind.DECISION, game.version, just_moved=just_moved)
        if game.deadline is not None:
            due = delivery_times.reminder_due(game)
            rows += _rows(recipient, game, Kind.REMINDER, game.version, due=due)
    if game.answer_due_at is not None:
        # An order or a plan is about to answer; the row is dropped then, and sent only if it does not.
        for row in rows:
            row.due = max(row.due, game.answer_due_at + AFTER_ANSWER)
    _write(rows)


def _queue(
    game: Game,
    user_ids: Iterable[int],
    kind: Kind,
    about: str = "",
    *,
    who: User | None = None,
    invitation: Invitation | None = None,
    line: ChatMessage | None = None,
    deed: str = "",
) -> None:
    rows: list[Notification] = []
    for recipient in recipients(game, user_ids):
        rows += _rows(recipient, game, kind, _place(game, recipient.user, kind))
    for row in rows:
        row.about, row.who, row.invitation, row.line = about[:200], who, invitation, line
        row.moderator_action = deed
    _write(rows)


def _place(game: Game, user: User, kind: Kind) -> int:
    """Return the game's version, or for kinds without a log entry the number after the last notification."""
    if game.is_dealt and kind not in (Kind.MENTION, Kind.MODERATED):
        return game.version
    # Count rows of mails and endpoints alike: a user without mail has rows for endpoints alone.
    told = Notification.objects.filter(game=game, user=user, kind=kind).aggregate(last=Max("version"))
    return 0 if told["last"] is None else told["last"] + 1


def _rows(
    recipient: Recipient,
    game: Game | None,
    kind: Kind,
    version: int,
    *,
    due: datetime | None = None,
    just_moved: bool = False,
) -> Iterator[Notification]:
    """A row for each way in which the recipient is notified; `due` overrides the usual time."""
    if not recipient.wants(kind):
        return
    now = timezone.now()
    facts = {"user": recipient.user, "game": game, "kind": kind, "version": version, "made": now}
    when = delivery_times.mail_due(recipient.user, recipient.attention, now, just_moved=just_moved)
    if recipient.by_mail and when is not None:
        yield Notification(**facts, due=due or when[0], digest=due is None and when[1])
    for endpoint in recipient.endpoints:
        at_once = now + delivery_times.QUIET_AFTER_MOVE if just_moved else now
        yield Notification(**facts, endpoint=endpoint, due=due or at_once)


def _write(rows: list[Notification]) -> None:
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    if any(row.due <= timezone.now() for row in rows):
        transaction.on_commit(worker_queue.request_delivery, robust=True)


def _is_still_asked(game: Game) -> bool:
    """Return whether a ruling left the decision with the same player; updates the version of its rows."""
    if game.waiting_for_id is None:
        return False
    told = Notification.objects.filter(
        game=game, kind__in=_ASKING, version=game.version - 1, user=game.waiting_for_id
    )
    return told.update(version=game.version) > 0


def _withdraw(game: Game) -> None:
    """Drop the waiting notifications of a decision that is made."""
    outbox_rows.waiting().filter(game=game, kind__in=_ASKING).update(**outbox_rows.dropped("decided"))


def _players(game: Game) -> list[int]:
    return list(game.seats.exclude(user=None).values_list("user", flat=True))
