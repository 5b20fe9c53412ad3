"""Nobody loses time because the site was down: whoever is asked gets back what ran meanwhile."""

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

log = logging.getLogger(__name__)

SWEEPER = "sweeper"

# There while the site can only be read: since when the clocks stand still.
READ_ONLY_MARK = "still"

# The sweeper comes by every ten seconds; silence for so long is an outage of the site.
OUTAGE_AFTER = timedelta(minutes=5)

# What the clock on the wall showed when this process beat last, and what a clock did that nobody sets.
_last: tuple[datetime, float] | None = None


@transaction.atomic
def record_heartbeat() -> int:
    """Note that the sweeper is at work; after an outage set the clocks back first. Returns how many.

    Both are safe together, so that after a crash the outage is found once more, and never twice. The time in
    which the site could only be read is an outage, too, however short: it ends with the first beat after it.
    """
    now = timezone.now()
    was_set_back = _was_set_back(now)
    heart, is_new = Heartbeat.objects.get_or_create(name=SWEEPER, defaults={"at": now})
    # The row is the lock: of two sweepers one finds the outage.
    heart = Heartbeat.objects.select_for_update().get(pk=heart.pk)
    silent = None if is_new or now - heart.at <= OUTAGE_AFTER else heart.at
    given = 0
    if is_read_only():
        _stand_still(silent)
    elif (since := _stood_still() or silent) is not None:
        given = _restore_time(since)
    # Else the decisions asked by a clock that is wrong would lose their time when it is put right.
    at = now if was_set_back else max(now, heart.at)
    Heartbeat.objects.filter(pk=heart.pk).update(at=at)
    return given


def is_read_only() -> bool:
    """Whether the site can only be read: no clock runs, no computer moves, and nobody is told anything."""
    return site_switches.is_on_now(SiteSwitch.Kind.READING)


def _stand_still(silent: datetime | None) -> None:
    """Note since when nothing goes on: since the site can only be read, or since the outage before that."""
    since = site_switches.get(SiteSwitch.Kind.READING).since
    assert since is not None
    began = since if silent is None else min(silent, since)
    Heartbeat.objects.get_or_create(name=READ_ONLY_MARK, defaults={"at": began})


def _stood_still() -> datetime | None:
    """Since when nothing went on until now, if that has just ended; it is told once."""
    found = Heartbeat.objects.filter(name=READ_ONLY_MARK).first()
    if found is None:
        return None
    found.delete()
    return found.at


def _was_set_back(now: datetime) -> bool:
    """Whether the clock of this machine was set back, by more than a little, since this process beat last.

    That the heartbeat is ahead proves nothing: another sweeper's clock may be.
    """
    global _last
    ticks = stopwatch.monotonic()
    before, _last = _last, (now, ticks)
    if before is None:
        return False
    return now - before[0] < timedelta(seconds=ticks - before[1]) - OUTAGE_AFTER


def _restore_time(since: datetime) -> int:
    """Leave to everybody whose clock runs what was left at that instant, and no more than all they had."""
    # Who had no time left by then is late in any case. Games that are about to be paused are among them.
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
    """Give whoever is asked so much more time, in all games or in these; returns in how many games."""
    asked = Game.objects.filter(waiting_for__isnull=False, seconds_per_move__isnull=False, paused=None)
    if public_ids:
        asked = asked.filter(public_id__in=public_ids)
    games = _timed(asked.values_list("pk", flat=True))
    for game in games:
        _set(game, game_clock.remaining(game) + time)
    return len(games)


def _timed(pks: Iterable[int]) -> list[Game]:
    """These games, locked one after the other, as far as a clock of theirs runs or is stopped by now."""
    games = [lock_paused_game(pk) for pk in sorted(pks)]
    return [game for game in games if game.deadline is not None or game.time_left is not None]


def _set(game: Game, left: timedelta) -> None:
    assert game.seat_to_move is not None
    try:
        with transaction.atomic():
            game_clock.set_time_left(game, left)
            enter_ruling(game, Ruling("extends", game.seat_to_move), seat=game.seat_to_move)
    except Exception:  # one broken game must not keep the others from their time
        log.exception("Game %s got no time back", game)


def _decider(game: Game) -> Seat:
    assert game.seat_to_move is not None
    return game.seats.get(number=game.seat_to_move)
