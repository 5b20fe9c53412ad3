"""Restore clocks after an outage of the site."""

import logging
import time as stopwatch
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import SiteSwitch
from accounts.operator import site_switches
from games.clocks import clock_hours, game_clock
from games.log.rulings import Ruling
from games.models import Game, Heartbeat, Seat
from games.play.game_lock import lock_paused_game
from games.play.ruling_entry import enter_ruling

logger = logging.getLogger(__name__)

SWEEPER = "sweeper"

# Name of the heartbeat that exists while the site is read-only; its time is when the clocks stopped.
READ_ONLY_MARK = "still"

# The sweeper runs every ten seconds; a gap of this length counts as an outage.
OUTAGE_AFTER = timedelta(minutes=5)

# Wall-clock time and monotonic seconds at the last heartbeat of this process.
_last: tuple[datetime, float] | None = None


@transaction.atomic
def record_heartbeat() -> int:
    """Record that the sweeper runs; after an outage, restore the clocks. Return how many were restored.

    Both happen in one transaction, so that after a crash the outage is found again, and never twice. Time in
    read-only mode counts as an outage of any length; it ends with the first heartbeat after it.
    """
    now = timezone.now()
    was_set_back = _was_set_back(now)
    heart, is_new = Heartbeat.objects.get_or_create(name=SWEEPER, defaults={"at": now})
    # The row is the lock: of two sweepers one finds the outage.
    heart = Heartbeat.objects.select_for_update().get(pk=heart.pk)
    silent = None if is_new or now - heart.at <= OUTAGE_AFTER else heart.at
    given = 0
    if is_read_only():
        _store_standstill(silent)
    elif (since := _end_standstill() or silent) is not None:
        given = _restore_time(since)
    # Else decisions asked while the machine's clock was wrong would lose time once it is corrected.
    at = now if was_set_back else max(now, heart.at)
    Heartbeat.objects.filter(pk=heart.pk).update(at=at)
    return given


def is_read_only() -> bool:
    """Return whether the site is read-only: no clock runs, no bot moves, and no notification is sent."""
    return site_switches.is_on_now(SiteSwitch.Kind.READING)


def _store_standstill(silent: datetime | None) -> None:
    """Store when the clocks stopped: at the start of read-only mode, or of the outage before it."""
    since = site_switches.get(SiteSwitch.Kind.READING).since
    assert since is not None
    began = since if silent is None else min(silent, since)
    Heartbeat.objects.get_or_create(name=READ_ONLY_MARK, defaults={"at": began})


def _end_standstill() -> datetime | None:
    """The time since which the clocks stood still, if that has just ended; reported once."""
    found = Heartbeat.objects.filter(name=READ_ONLY_MARK).first()
    if found is None:
        return None
    found.delete()
    return found.at


def _was_set_back(now: datetime) -> bool:
    """Return whether this machine's clock was set back considerably since this process's last heartbeat.

    A heartbeat in the future proves nothing: it may come from another sweeper's clock.
    """
    global _last
    ticks = stopwatch.monotonic()
    before, _last = _last, (now, ticks)
    if before is None:
        return False
    return now - before[0] < timedelta(seconds=ticks - before[1]) - OUTAGE_AFTER


def _restore_time(since: datetime) -> int:
    """Give every player with a running clock the time left at `since`; return the number of games.

    Nobody gets more than the full time for the decision.
    """
    # Clocks that ran out before are not restored. Games that are about to be paused are included.
    games = _timed(Game.all_games.filter(deadline__gt=since).values_list("pk", flat=True))
    for game in games:
        if game.deadline is None:
            continue
        hours = game_clock.hours(game)
        left = clock_hours.counted_time(since, game.deadline, hours)
        most = game_clock.full_time(game, _decider(game))
        _set(game, min(left, max(most, game_clock.time_per_move(game))))
    return len(games)


@transaction.atomic
def extend(time: timedelta, public_ids: Sequence[str] = ()) -> int:
    """Give players to move extra time, in all games or in these; return the number of games."""
    asked = Game.objects.filter(waiting_for__isnull=False, seconds_per_move__isnull=False, paused=None)
    if public_ids:
        asked = asked.filter(public_id__in=public_ids)
    games = _timed(asked.values_list("pk", flat=True))
    for game in games:
        _set(game, game_clock.remaining(game) + time)
    return len(games)


def _timed(pks: Iterable[int]) -> list[Game]:
    """Lock these games in the order of their keys; return those whose clock runs or stands still."""
    games = [lock_paused_game(pk) for pk in sorted(pks)]
    return [game for game in games if game.deadline is not None or game.time_left is not None]


def _set(game: Game, left: timedelta) -> None:
    assert game.seat_to_move is not None
    try:
        with transaction.atomic():
            game_clock.set_time_left(game, left)
            enter_ruling(game, Ruling("extends", game.seat_to_move), seat=game.seat_to_move)
    except Exception:  # one broken game must not keep the others from getting their time
        logger.exception("The time of game %s could not be restored", game)


def _decider(game: Game) -> Seat:
    assert game.seat_to_move is not None
    return game.seats.get(number=game.seat_to_move)
