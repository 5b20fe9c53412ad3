"""Deadlines of live games: rounds of their own, several a second, beside those of the sweeper.

A round settles timeouts one network round trip after the deadline if the site was there all the time, and
ready checks in the same way. If the site was away, it first gives all players their time back. Once a
second a round also lets stand-ins play for those who have left the table.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from typing import Final

import redis
from django.conf import settings
from django.db import close_old_connections, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.clocks import game_clock, machine_clock, overload, site_presence
from games.clocks.machine_clock import Reading
from games.models import Game, Heartbeat, QueuedPlayer
from games.models.game import MAX_LIVE_PACE
from games.play.deadlines import clock_watch, outages, overdue, ready_deadlines
from games.play.seats import left_seats
from games.processes import task_failures
from games.realtime import redis_addresses

logger = logging.getLogger(__name__)

ROUND_SECONDS: Final = 0.25
# Pause between rounds while no live game runs.
IDLE_SECONDS: Final = 1.0

# Time between two looks for players who have left.
_LOOK_SECONDS: Final = 1.0

# A longer round shows in between that the loop is at work.
_BEAT_SECONDS: Final = 0.5

# A leap of the machine's clock; the sweeper then has time to judge the clock.
_LEAP: Final = timedelta(seconds=1)
_JUDGED_SECONDS: Final = 15.0

# A heartbeat so far ahead was left by a clock that has been set back since, not by another machine's.
_AHEAD: Final = timedelta(seconds=10)

# The time in which pages find the site again; players get it on top of what they had left.
RETURN: Final = timedelta(seconds=5)

# An error that stays is logged this often.
_ERROR_SECONDS: Final = 10.0


class LiveDeadlines:
    """The loop of one process over the deadlines of live games.

    `settle_check` settles the ready check of a game, by its key, whose time is up.
    """

    def __init__(self, settle_check: Callable[[int], object]) -> None:
        self._settle_check = settle_check
        self._reading: Reading | None = None
        self._doubtful_until = 0.0
        # The time by which the clock was behind, if only for a while, since the site was last seen.
        self._set_back = timedelta()
        self._beat_at = 0.0
        self._error_at = 0.0
        self._looked_at = 0.0
        self._company = left_seats.Company()

    def run(self, stop: Event) -> None:
        """Run rounds until `stop` is set; a failed round is logged."""
        while not stop.is_set():
            close_old_connections()
            pause = ROUND_SECONDS
            try:
                if self.round() is None:
                    pause = IDLE_SECONDS
            except Exception as error:
                self._report("A round of live deadlines failed", error)
            stop.wait(pause)
        connection.close()

    def round(self) -> int | None:
        """Run one round; return the number of timeouts dealt with, None while no live game runs or starts.

        The site is watched also for those who wait for a live game, of whom the queue finds out who has gone.
        """
        if not (
            left_seats.live_games().exists()
            or ready_deadlines.underway().exists()
            or QueuedPlayer.objects.filter(since__isnull=False).exists()
        ):
            site_presence.forget()
            return None
        if not self._see_site():
            return 0
        seen_at = _seen_at()
        dealt_with = self._settle(seen_at)
        self._keep_left_seats(seen_at)
        return dealt_with

    def _settle(self, seen_at: datetime) -> int:
        dealt_with = 0
        late: list[tuple[int, Callable[[], object]]] = [
            (game_id, partial(overdue.settle_timeout, game_id, version))
            for game_id, version in overdue_games(seen_at)
        ]
        late += [(pk, partial(self._settle_check, pk)) for pk in ready_deadlines.overdue(seen_at)]
        for game_id, settle in late:
            try:
                settle()
            except Exception as error:  # one broken game must not hold up the others
                self._report(f"The timeout in live game {game_id} could not be settled", error)
            dealt_with += 1
            if time.monotonic() - self._beat_at > _BEAT_SECONDS and not self._see_site():
                break
        return dealt_with

    def _keep_left_seats(self, seen_at: datetime) -> None:
        """Let stand-ins play for those who had left the table a while before the site was last seen."""
        assert self._reading is not None
        if self._reading.steady - self._looked_at < _LOOK_SECONDS:
            return
        self._looked_at = self._reading.steady
        games = self._company.look(seen_at)
        for game_id, number in left_seats.find_left_seats(seen_at, games):
            try:
                left_seats.keep_left_seat(game_id, number, seen_at)
            except Exception as error:  # one broken game must not hold up the others
                self._report(f"A seat of live game {game_id} could not be kept", error)

    def _see_site(self) -> bool:
        """Store up to when the site was there; return whether it is there now.

        If it was away meanwhile, players get their time back first.
        """
        self._beat_at = time.monotonic()
        if not self._is_clock_right() or outages.is_read_only() or overload.underway() is not None:
            return False
        silence = site_presence.web_silence()
        if silence > site_presence.AWAY_AFTER or not does_redis_answer():
            return False
        _store_seen(timezone.now() - silence, self._set_back)
        self._set_back = timedelta()
        return True

    def _is_clock_right(self) -> bool:
        """Return whether the machine's clock has not leapt, and the sweeper does not doubt it."""
        reading = machine_clock.read()
        leap = reading.jump_since(self._reading) if self._reading is not None else timedelta()
        if abs(leap) > _LEAP:
            self._doubtful_until = reading.steady + _JUDGED_SECONDS
            self._set_back = max(self._set_back, -leap)
        self._reading = reading
        return reading.steady >= self._doubtful_until and not clock_watch.current_doubt()

    def _report(self, message: str, error: Exception) -> None:
        if time.monotonic() - self._error_at > _ERROR_SECONDS:
            self._error_at = time.monotonic()
            logger.error(message, exc_info=error)
            task_failures.record("the deadlines of live games", error)


def overdue_games(seen_at: datetime) -> list[tuple[int, int]]:
    """The keys and versions of live games whose time, with a round trip, was up while the site was there."""
    late = _clocks().filter(deadline__lte=seen_at - game_clock.ROUND_TRIP, paused=None).order_by("deadline")
    return list(late.values_list("pk", "version"))


def _clocks() -> QuerySet[Game]:
    """Live games whose clock runs."""
    return Game.objects.filter(deadline__isnull=False, seconds_per_move__lte=MAX_LIVE_PACE)


def _restore_unseen(now: datetime) -> None:
    """Give players their time back whose clocks ran out before the loop first looked at any.

    That happens when an upgrade makes games live that were running before.
    """
    oldest = _clocks().filter(deadline__lt=now).order_by("deadline").first()
    if oldest is not None and oldest.deadline is not None:
        outages.restore_live_time(oldest.deadline - timedelta(seconds=MAX_LIVE_PACE))
    ready_deadlines.restore_overdue(now)


def does_redis_answer() -> bool:
    """Return whether ticks reach open pages; always true without Redis."""
    try:
        for url in settings.CHANNEL_URLS:
            redis_addresses.client(url, settings.REDIS_TIMEOUT).ping()
    except redis.RedisError:
        return False
    return True


def _seen_at() -> datetime:
    return Heartbeat.objects.get(name=site_presence.SEEN_MARK).at


@transaction.atomic
def _store_seen(now: datetime, set_back: timedelta) -> None:
    """Store that the site was there up to now; after an absence, first give the players their time back.

    `set_back` is how far the clock was behind meanwhile: deadlines that it set are so much too early. If the
    clock stays behind, the last heartbeat lies ahead, and so do the deadlines from before. All happens in one
    transaction, so that after a crash the absence is found again, and never twice.
    """
    seen, is_new = Heartbeat.objects.get_or_create(
        name=site_presence.SEEN_MARK, defaults={"at": now, "detail": now.isoformat()}
    )
    if is_new:
        _restore_unseen(now)
        return
    # The row is the lock: of two loops one finds the absence.
    seen = Heartbeat.objects.select_for_update().get(pk=seen.pk)
    there_since = seen.detail
    if now - seen.at > site_presence.AWAY_AFTER or seen.at - now > _AHEAD:
        since = min(seen.at - set_back, now) - RETURN
        outages.restore_live_time(since)
        ready_deadlines.restore(since)
        now = max(now, timezone.now())
        there_since = now.isoformat()
    elif now <= seen.at:
        return
    # An earlier version of the site has left no such time.
    Heartbeat.objects.filter(pk=seen.pk).update(at=now, detail=there_since or now.isoformat())
