"""Write notifications to the outbox, in the transaction of the event.

Whether a row still applies, and whether its reader has seen the game since, is checked when it is sent
(`games.notifications.outbox`).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts.mail.outbox import dropped
from accounts.models import User
from games.log.pace_proposals import pace_proposals_made
from games.log.positions import rollback_target
from games.models import AbuseReport, Channel, ChatMessage, Game, Invitation, Kind, LogEntry, Notification
from games.models.notification import NEVER_MAILED
from games.notifications import deadlines, delivery_times
from games.notifications.outbox import outbox_rows
from games.notifications.recipients import Recipient, recipients
from games.realtime import worker_queue

# Kinds that the next move makes obsolete.
_ASKING = (Kind.DECISION, Kind.REMINDER)

# An answer that its worker missed is played by the sweeper within this time.
AFTER_ANSWER = timedelta(seconds=20)

# A player with an open page sees the ready check within this time.
CHECK_SEEN_AFTER = timedelta(seconds=5)

# A player can wish to concede and take that back again and again; partners are notified once in this time.
WISH_COOLDOWN = timedelta(days=1)

_JOINED_OR_LEFT = (Kind.JOINED, Kind.LEFT)


def notify_entry(game: Game, entry: LogEntry) -> None:
    """Notify players of the next decision, or of the end, after a log entry.

    In a live game the players sit at the table, so nobody is notified of a decision.
    """
    if game.is_live and game.is_running:
        _withdraw(game)
        return
    if entry.kind == LogEntry.Kind.RULING and rollback_target(entry) is None and _is_still_asked(game):
        reschedule_by_clock(game)
        return
    _withdraw(game)
    if game.is_finished:
        _queue(game, _players(game), Kind.FINISHED, entry.reason, actor_id=entry.user_id)
    elif game.waiting_for_id is not None:
        _queue_decision(game, just_moved=entry.user_id == game.waiting_for_id)


def notify_started(game: Game, by: User | None = None) -> None:
    """Notify the players that their game has started, and the first player that it is their turn.

    `by` is the user who has started it, or taken the last seat.
    """
    players = _players(game)
    # The question first: whoever gets it knows that the game has started.
    if not game.is_live and game.waiting_for_id is not None:
        _queue_decision(game, just_moved=len(players) == 1)
    if len(players) > 1:
        # With one human player, that player has started the game and knows.
        _queue(game, players, Kind.STARTED, actor_id=by.pk if by else None)


def reschedule_by_clock(game: Game) -> None:
    """Reschedule what depends on the clock of the game after it was stopped or set."""
    if game.is_live:
        return
    waiting = outbox_rows.waiting().filter(game=game)
    reminders = waiting.filter(kind=Kind.REMINDER)
    if game.deadline is None:
        reminders.delete()
        return
    due = delivery_times.reminder_due(game)
    reminders.update(due=due, first_due=None, digest=False)
    rows: list[Notification] = []
    for recipient in recipients(game, [game.waiting_for_id] if game.waiting_for_id else []):
        rows += _rows(recipient, game, Kind.REMINDER, game.version, due=due)
    _write(rows)  # a reminder that was sent already is not written again
    _hurry(waiting.filter(kind__in=deadlines.TIMED).exclude(kind=Kind.REMINDER), game.deadline)


def notify_voters(game: Game, user_ids: Iterable[int]) -> None:
    """Notify players of a vote on a late player."""
    _queue(game, user_ids, Kind.VOTE)


def notify_timeout(game: Game, user_id: int) -> None:
    """Notify a player that their time is over."""
    _queue(game, [user_id], Kind.LATE)


def notify_kept_by_mail(game: Game, user_ids: Iterable[int], pace: str) -> None:
    """Notify players for whom a computer plays that their live game goes on by mail, at this pace."""
    _queue(game, user_ids, Kind.LATE, pace)


def notify_seat_lost(game: Game, user_id: int, successor: User) -> None:
    """Notify a player that another member has taken over their seat."""
    _queue(game, [user_id], Kind.SEAT, successor.get_short_name(), who=successor)


def notify_proposal(game: Game, user_ids: Iterable[int], by: User) -> None:
    """Notify players of a proposal to end the game, or to change its pace, which the last log entry makes."""
    _queue(game, user_ids, Kind.ENDING, by.get_short_name(), who=by)


def drop_proposal(game: Game, user: User | None = None) -> None:
    """Drop the notifications of an end proposal, or only those of the user, who has answered it."""
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.ENDING)
    _drop_decided(waiting.exclude(version__in=pace_proposals_made(game).values("number")), user)


def drop_pace_proposal(game: Game, user: User | None = None) -> None:
    """Drop the notifications of a pace proposal, or only those of the user, who has answered it."""
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.ENDING)
    _drop_decided(waiting.filter(version__in=pace_proposals_made(game).values("number")), user)


def notify_wish(game: Game, user_ids: Iterable[int], by: User) -> None:
    """Notify the partners of a player who wants their team to concede, at most once in `WISH_COOLDOWN`."""
    since = timezone.now() - WISH_COOLDOWN
    told = Notification.objects.filter(game=game, kind=Kind.CONCESSION, who=by, made__gt=since)
    if not told.exclude(state=Notification.State.DROPPED).exists():
        _queue(game, user_ids, Kind.CONCESSION, by.get_short_name(), who=by)


def drop_wish(game: Game, by: User) -> None:
    """Drop the notifications of a wish to concede that was taken back."""
    waiting = outbox_rows.waiting().filter(game=game, kind=Kind.CONCESSION, who=by)
    waiting.update(**dropped("taken back"))


def notify_host(game: Game, kind: Kind, who: User | None = None) -> None:
    """Notify the host of an event in an open game; drops earlier notifications that it replaces."""
    same = _JOINED_OR_LEFT if kind in _JOINED_OR_LEFT else (kind,)
    outbox_rows.waiting().filter(game=game, user=game.host_id, kind__in=same, who=who).update(
        **dropped("overtaken")
    )
    _queue(game, [game.host_id], kind, who.get_short_name() if who else "", who=who)


def notify_joined(game: Game, user: User) -> None:
    """Notify the host that a member has joined."""
    notify_host(game, Kind.JOINED, user)


def notify_left(game: Game, user: User) -> None:
    """Notify the host that a member has left; does nothing for the host, see `notify_new_host`."""
    if game.host_id != user.pk:
        notify_host(game, Kind.LEFT, user)


def notify_new_host(game: Game, old: User) -> None:
    """Notify the new host that the old one has left."""
    notify_host(game, Kind.HOST, old)


def notify_kicked(game: Game, user: User, reason: str) -> None:
    """Notify a member that the host has sent them away, and why."""
    _queue(game, [user.pk], Kind.REMOVED, reason)


def notify_unready(game: Game, user: User) -> None:
    """Notify a member who has lost the seat because they did not answer the ready check."""
    _queue(game, [user.pk], Kind.REMOVED)


def notify_ready(game: Game) -> None:
    """Notify the host that the game may start."""
    notify_host(game, Kind.READY)


def notify_check(game: Game, asked: Iterable[int]) -> None:
    """Ask players, on their devices, whether they are ready, unless they see it in the waiting room."""
    _queue(game, asked, Kind.CHECK)


def notify_closing(game: Game) -> None:
    """Notify the host that the game will be closed unless it starts before."""
    notify_host(game, Kind.CLOSING)


def notify_closed(game: Game, reason: str = "") -> None:
    """Notify the players that an open game was closed, with the moderator's reason if a moderator did it."""
    _queue(game, _players(game), Kind.CLOSED, reason)


def notify_moderated(game: Game, user_ids: Iterable[int], action: str, reason: str) -> None:
    """Notify these users of a moderator's action, by its name, and of the reason."""
    _queue(game, user_ids, Kind.MODERATED, reason, action=action)


def drop_end(game: Game) -> None:
    """Drop the news that the game is over: it was reopened."""
    outbox_rows.waiting().filter(game=game, kind=Kind.FINISHED).update(**dropped("overtaken"))


def at_the_table(game: Game) -> list[int]:
    """The ids of the players, and of the host before the start."""
    return _players(game) if game.is_dealt else sorted({*_players(game), game.host_id})


def notify_again(game: Game) -> None:
    """Notify the player to move of the current decision once more, or for the first time."""
    told = Notification.objects.filter(
        game=game, kind=Kind.DECISION, version=game.version, user=game.waiting_for_id
    ).exclude(state=Notification.State.WAITING)
    told.update(**outbox_rows.resend_columns())
    if game.is_live:
        return
    _queue_decision(game, just_moved=False)
    transaction.on_commit(worker_queue.request_delivery, robust=True)


def notify_mentioned(game: Game, line: ChatMessage, user_ids: Iterable[int]) -> None:
    """Notify these users that a chat message mentions them."""
    _queue(game, user_ids, Kind.MENTION, line.user.get_short_name(), who=line.user, line=line)


def notify_reporter(report: AbuseReport) -> None:
    """Notify the reporter that their abuse report was settled."""
    rows: list[Notification] = []
    for recipient in recipients(None, [report.by_id]):
        rows += _rows(recipient, None, Kind.REPORT, 0)
    for row in rows:
        row.report = report
    _write(rows)


def notify_invited(game: Game, invitation: Invitation) -> None:
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
        rows += _rows(recipient, game, Kind.DECISION, game.version, just_moved=just_moved, ends=game.deadline)
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
    action: str = "",
    actor_id: int | None = None,
) -> None:
    """Write the rows for these users. The one who has caused the event will usually see it at once."""
    rows: list[Notification] = []
    for recipient in recipients(game, user_ids):
        ends = game.deadline if kind in deadlines.TIMED else None
        ends = deadlines.kept_until(game, recipient.user.pk, kind) or ends
        place, is_actor = _place(game, recipient.user, kind), recipient.user.pk == actor_id
        due = timezone.now() + CHECK_SEEN_AFTER if kind == Kind.CHECK else None
        rows += _rows(recipient, game, kind, place, due=due, just_moved=is_actor, ends=ends)
    for row in rows:
        row.about, row.who, row.invitation, row.line = about[:200], who, invitation, line
        row.moderator_action = action
    _write(rows)


def _drop_decided(waiting: QuerySet[Notification], user: User | None) -> None:
    (waiting.filter(user=user) if user else waiting).update(**dropped("decided"))


def _place(game: Game, user: User, kind: Kind) -> int:
    """Return the game's version, or for kinds without a log entry the number after the last notification.

    Some moderators' actions have an entry and some have none, so theirs is the higher of the two.
    """
    if game.is_dealt and kind not in (Kind.MENTION, Kind.MODERATED, Kind.CONCESSION):
        return game.version
    # Count rows of mails and endpoints alike: a user without mail has rows for endpoints alone.
    told = Notification.objects.filter(game=game, user=user, kind=kind).aggregate(last=Max("version"))
    counted = 0 if told["last"] is None else told["last"] + 1
    return max(counted, game.version) if kind == Kind.MODERATED else counted


def _rows(
    recipient: Recipient,
    game: Game | None,
    kind: Kind,
    version: int,
    *,
    due: datetime | None = None,
    just_moved: bool = False,
    ends: datetime | None = None,
) -> Iterator[Notification]:
    """A row for each way in which the recipient is notified.

    `due` overrides the usual time, `ends` is the deadline of what is notified.
    """
    now = timezone.now()
    facts = {"user": recipient.user, "game": game, "kind": kind, "version": version, "made": now}
    when = delivery_times.mail_due(recipient.user, recipient.attention, now, just_moved=just_moved, ends=ends)
    mails = recipient.by_mail and kind not in NEVER_MAILED and recipient.wants(kind, Channel.MAIL)
    if mails and when is not None:
        yield Notification(**facts, due=due or when.at, digest=due is None and when.digest)
    for endpoint in recipient.endpoints:
        if not recipient.wants(kind, endpoint.channel):
            continue
        at = due or delivery_times.message_due(now, just_moved=just_moved, ends=ends)
        yield Notification(**facts, endpoint=endpoint, due=at)


def _write(rows: list[Notification]) -> None:
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    if any(row.due <= timezone.now() for row in rows):
        transaction.on_commit(worker_queue.request_delivery, robust=True)


def _hurry(waiting: QuerySet[Notification], ends: datetime) -> None:
    """Make those of these rows due now that would otherwise be sent too late for this deadline."""
    now = timezone.now()
    too_late = waiting.filter(message_id="", due__gt=delivery_times.latest(now, ends))
    if too_late.update(due=now, first_due=None, digest=False):
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
    outbox_rows.waiting().filter(game=game, kind__in=_ASKING).update(**dropped("decided"))


def _players(game: Game) -> list[int]:
    return list(game.seats.exclude(user=None).values_list("user", flat=True))
