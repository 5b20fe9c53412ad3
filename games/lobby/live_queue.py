"""The queue for live games, which brings together members who want the same."""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.clocks import site_presence
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.game_start import begin_game
from games.lobby.game_terms import GameTerms
from games.lobby.join_check import check_joining
from games.lobby.open_seats import seat_players, take_seat
from games.lobby.stale_games import close_game
from games.models import Block, Game, Heartbeat, QueuedPlayer, Seat
from games.models.game import MAX_LIVE_PACE
from games.models.playable_systems import playable_systems
from games.players import limits
from games.players.admission import check_admitted, lock_admitted_user, lock_user
from games.processes import task_failures
from games.realtime import ticks
from games.refusals import (
    AlreadyInLiveGame,
    BotAccountsNotAllowed,
    GuestsPlayComputers,
    NewGamesClosed,
    NotQueued,
)

logger = logging.getLogger(__name__)

# Seconds per move and in the time bank.
PACES: Final = {QueuedPlayer.Pace.FAST: (30, 180), QueuedPlayer.Pace.EVENING: (60, 300)}

# A member whose page has not asked for news for this long, while the site was there, has closed it.
GONE_AFTER: Final = timedelta(seconds=60)

# The heartbeat of the rounds that look for those members, and let pages ask.
ROUND_MARK: Final = "live queue"

# Members who accept computer players wait this long for others who are offered them.
ANSWER_TIME: Final = timedelta(seconds=15)


@transaction.atomic
def enter(
    *, user: User, pace: str, least: int, most: int, patience: timedelta | None, level: str
) -> QueuedPlayer:
    """Let the user wait for a live game of `least` to `most` players, and keep the choices for next time.

    After `patience`, if any, computer players of this level are offered. A member who already
    waits changes the wish.

    Raises what `lock_admitted_user` raises, what `reason_against` returns, and AlreadyInLiveGame.
    """
    lock_admitted_user(user)
    if reason := reason_against(user):
        raise reason
    if current_game(user) is not None:
        raise AlreadyInLiveGame
    now = timezone.now()
    before = waiting().filter(user=user).first()
    wish = {
        "pace": pace,
        "least": least,
        "most": most,
        "patience": None if patience is None else round(patience.total_seconds()),
        "level": level,
        "since": before.since if before else now,
        "seen_at": now,
        "offer_at": None if patience is None else now + patience,
        "accepted_at": None,
        "found": None,
    }
    queued, _ = QueuedPlayer.objects.update_or_create(user=user, defaults=wish)
    if before is None or _group_wish(before) != _group_wish(queued):
        _schedule_news()
    return queued


def reason_against(user: User) -> Refusal | None:
    """Return why this user cannot wait for a live game, or None; the page shows it."""
    if user.is_guest:
        return GuestsPlayComputers()
    if user.is_bot_account:
        return BotAccountsNotAllowed()
    try:
        check_admitted(user)
        limits.check_new_games()
        limits.check_games(user)
    except Refusal as error:
        return error
    return None


@transaction.atomic
def leave(*, user: User) -> bool:
    """Take the user out of the queue; return whether they were in it."""
    lock_user(user)
    return _take_out([user.pk]) > 0


def note_seen(user: User) -> None:
    """Note that the user's page has asked for news, so that the user stays in the queue."""
    waiting().filter(user=user).update(seen_at=timezone.now())


@transaction.atomic
def answer_offer(*, user: User, level: str) -> None:
    """Accept computer players of this level, or with "" go on waiting until they are offered again.

    Raises NotQueued.
    """
    lock_admitted_user(user)
    queued = waiting().filter(user=user).select_for_update(no_key=True).first()
    if queued is None:
        raise NotQueued
    now = timezone.now()
    if level:
        queued.level, queued.accepted_at = level, now
    else:
        queued.accepted_at = None
        queued.offer_at = now + timedelta(seconds=queued.patience) if queued.patience else None
    queued.save(update_fields=["level", "accepted_at", "offer_at"])


def match() -> list[Game]:
    """Make a game for each group of members whose wishes agree, and return the games.

    Each game is made in a transaction of its own, which checks that the whole group still waits. If that
    fails, the group goes on waiting and holds up nobody else.
    """
    made: list[Game] = []
    refused: set[int] = set()
    while group := _find_group(refused):
        game = _make_game(group, refused)
        if game is not None:
            made.append(game)
    return made


@transaction.atomic
def take_out_gone(now: datetime) -> None:
    """Take members who have closed the page out of the queue, and let the other pages ask for news.

    A member whose page has not asked since the last round is gone after a while. Absences of the site do not
    count.
    """
    if not waiting().exists():
        return
    mark, _ = Heartbeat.objects.get_or_create(name=ROUND_MARK, defaults={"at": now})
    since = min(mark.at, now - GONE_AFTER)
    if site_presence.was_there(since, now):
        gone = waiting().filter(seen_at__lt=since).order_by("user").select_for_update(no_key=True)
        _take_out(list(gone.values_list("user", flat=True)))
    Heartbeat.objects.filter(pk=mark.pk).update(at=now)
    _schedule_news()


def put_back(game: Game, left: Sequence[Seat]) -> bool:
    """Close a locked game that the queue has made, and let those who are left wait again.

    They wait since the game was opened. Does nothing if anybody else sits there, and returns whether it did.
    """
    users = [seat.user_id for seat in left if seat.user_id is not None]
    found = QueuedPlayer.objects.filter(found=game, user__in=users, since=None).order_by("user")
    queued = list(found.select_for_update(no_key=True))
    if not queued or len(queued) < len(users):
        return False
    for one in queued:
        one.since, one.seen_at = game.opened, timezone.now()
        one.offer_at = game.opened + timedelta(seconds=one.patience) if one.patience else None
        one.save(update_fields=["since", "seen_at", "offer_at"])
    close_game(game)
    _schedule_news()
    return True


def is_put_back(game: Game, user: User) -> bool:
    """Return whether the user waits again after a game that the queue has made."""
    return waiting().filter(user=user.pk, found=game).exists()


def waiting() -> QuerySet[QueuedPlayer]:
    """Members in the queue."""
    return QueuedPlayer.objects.filter(since__isnull=False)


def number_waiting(queued: QueuedPlayer) -> int:
    """The number of others in the queue whose wishes agree with this one."""
    same = waiting().filter(pace=queued.pace, least__lte=queued.most, most__gte=queued.least)
    return same.filter(seen_at__gt=timezone.now() - GONE_AFTER).exclude(user=queued.user_id).count()


def current_game(user: User) -> Game | None:
    """The live game that the user plays, or whose ready check the user is in, if any.

    A paused game, which may rest for days, does not count.
    """
    live = Game.objects.filter(seats__user=user, seconds_per_move__lte=MAX_LIVE_PACE, paused=None)
    playing = Q(status=Game.Status.RUNNING, seats__concession_order=None, seats__replaced_at=None)
    return live.filter(playing | Q(ready_by__isnull=False)).order_by("-pk").first()


def system() -> str:
    """The rule system of these games, which use its first preset."""
    return next(iter(playable_systems()))


def _take_out(users: Collection[int]) -> int:
    out = waiting().filter(user__in=users)
    number = out.update(since=None, seen_at=None, offer_at=None, accepted_at=None)
    if number:
        _schedule_news(users)
    return number


def _schedule_news(besides: Collection[int] = ()) -> None:
    """After the commit let the pages of all who wait, and of these users, ask for news."""

    def send() -> None:
        users = {*waiting().values_list("user", flat=True), *besides}
        if users:
            ticks.send_tick("", 0, sorted(users))

    transaction.on_commit(send, robust=True)


# -- Groups --------------------------------------------------------------------------------------------


def _find_group(refused: Collection[int]) -> list[QueuedPlayer]:
    """The first members who can play together now, the longest waiting first; empty if there are none."""
    now = timezone.now()
    present = waiting().filter(seen_at__gt=now - GONE_AFTER).exclude(user__in=refused)
    found = list(present.order_by("since", "user"))
    apart = _blocks([queued.user_id for queued in found])
    for first in found:
        for size in range(first.most, first.least - 1, -1):
            group = _together(first, found, size, apart)
            if len(group) == size:
                return group
    return _find_accepting(found, apart, now)


def _find_accepting(
    found: Sequence[QueuedPlayer], apart: Collection[frozenset[int]], now: datetime
) -> list[QueuedPlayer]:
    """The first members who have accepted computer players together, once nobody else may still accept."""
    accepting = [queued for queued in found if queued.accepted_at is not None]
    offered = [queued for queued in found if queued.offer_at is not None and queued.offer_at <= now]
    for first in accepting:
        same_level = [queued for queued in accepting if queued.level == first.level]
        groups = [
            _together(first, same_level, size, apart) for size in range(first.most, first.least - 1, -1)
        ]
        undecided = [
            queued for queued in _together(first, offered, first.most, apart) if queued.accepted_at is None
        ]
        assert first.accepted_at is not None
        if not undecided or first.accepted_at <= now - ANSWER_TIME:
            return max(groups, key=len)
    return []


def _together(
    first: QueuedPlayer, found: Sequence[QueuedPlayer], size: int, apart: Collection[frozenset[int]]
) -> list[QueuedPlayer]:
    """At most `size` members with the first, who want a game of this size and do not block each other."""
    group = [first]
    for queued in found:
        agrees = queued.pace == first.pace and queued.least <= size <= queued.most
        fits = all(frozenset((queued.user_id, other.user_id)) not in apart for other in group)
        if len(group) < size and queued not in group and agrees and fits:
            group.append(queued)
    return group


def _blocks(users: Collection[int]) -> set[frozenset[int]]:
    pairs = Block.objects.filter(user__in=users, person__in=users).values_list("user", "person")
    return {frozenset(pair) for pair in pairs}


def _size(group: Sequence[QueuedPlayer]) -> int:
    """The number of players of a game for this group, the smallest that all of them want."""
    return max(len(group), *(queued.least for queued in group), 2)


def _make_game(group: Sequence[QueuedPlayer], refused: set[int]) -> Game | None:
    """Make the game of a group; None if there is none. Adds members who get none now to `refused`."""
    try:
        return _open_game(group)
    except NewGamesClosed:
        refused |= {queued.user_id for queued in group}
    except _NotAdmitted as error:
        refused.add(error.user_id)
        with transaction.atomic():
            _take_out([error.user_id])
    except _Unsuited as error:
        refused.add(error.user_id)
    except Exception as error:
        logger.exception("A live game could not be made")
        task_failures.record("the queue for live games", error)
        refused |= {queued.user_id for queued in group}
    return None


class _Excluded(Exception):
    """A member of a group does not get its game."""

    def __init__(self, user_id: int) -> None:
        super().__init__(user_id)
        self.user_id = user_id


class _NotAdmitted(_Excluded):
    """The member may not play now; the page says why."""


class _Unsuited(_Excluded):
    """The member may not play with the others, and goes on waiting."""


@transaction.atomic
def _open_game(group: Sequence[QueuedPlayer]) -> Game | None:
    limits.check_new_games()
    users = {queued.user_id: queued.user for queued in group}
    for user_id in sorted(users):
        _admit(users[user_id])
    locked = waiting().filter(user__in=users).order_by("user").select_for_update(no_key=True)
    if {_wish(queued) for queued in locked} != {_wish(queued) for queued in group}:
        return None
    host, *others = (users[queued.user_id] for queued in group)
    game = _terms(group).new_game(host)
    seat_players(game, {0: host, **_terms(group).computers})
    for user in others:
        try:
            check_joining(game, user)
        except Refusal as error:
            raise _Unsuited(user.pk) from error
        take_seat(game, list(game.seats.all()), user)
    _take_out(users)
    QueuedPlayer.objects.filter(user__in=users).update(found=game)
    begin_game(game)
    return game


def _admit(user: User) -> None:
    """Lock a member; raise _NotAdmitted if they may not play now, or play already."""
    try:
        lock_admitted_user(user)
        limits.check_games(user)
    except Refusal as error:
        raise _NotAdmitted(user.pk) from error
    if current_game(user) is not None:
        raise _NotAdmitted(user.pk)


def _wish(queued: QueuedPlayer) -> tuple[object, ...]:
    return queued.user_id, *_group_wish(queued), queued.since, queued.accepted_at, queued.level


def _group_wish(queued: QueuedPlayer) -> tuple[str, int, int]:
    """The part of a wish on which the number of others with the same depends."""
    return queued.pace, queued.least, queued.most


def _terms(group: Sequence[QueuedPlayer]) -> GameTerms:
    first, size = group[0], _size(group)
    pace, bank = PACES[QueuedPlayer.Pace(first.pace)]
    return GameTerms(
        system=system(),
        preset=next(iter(SYSTEMS[system()].PRESETS)),
        least=size,
        most=size,
        computers=dict.fromkeys(range(len(group), size), first.level),
        pace=pace,
        bank=bank,
        start=Game.Start.FULL,
        rated=True,
    )
