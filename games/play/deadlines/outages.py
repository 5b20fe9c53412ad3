"""Restore clocks after an outage of the site, or an overload."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import SiteSwitch
from accounts.operator import site_switches
from games.clocks import clock_hours, game_clock, machine_clock, overload
from games.log.rulings import Ruling
from games.models import Game, Heartbeat, Seat
from games.models.game import MAX_LIVE_PACE
from games.play.deadlines import clock_watch
from games.play.game_lock import lock_paused_game
from games.play.ruling_entry import enter_ruling
from games.processes import task_failures

logger = logging.getLogger(__name__)

SWEEPER = "sweeper"

# Name of the heartbeat that exists while the site is read-only; its time is when the clocks stopped.
READ_ONLY_MARK = "still"

# Name, with the key of a game after it, of the heartbeat that exists while the game waits for time that could
# not be given back. Its detail: the seat, the version of the game, the seconds that the seat shall have left.
OWED_MARK = "owed "

# The sweeper runs every ten seconds; a gap of this length counts as an outage.
OUTAGE_AFTER = timedelta(minutes=5)

# In a shorter overload a move that was refused can be sent again in time, because no turn ends.
LONG_OVERLOAD = timedelta(seconds=10)

# Players with less time than this get back the time of any long overload, others only if it is worth it.
SHORT_OF_TIME = timedelta(hours=1)
# A loss that nobody notices, and that is not worth an entry in the log.
SLIGHT = timedelta(seconds=5)


def find_clock_fault() -> str:
    """Return why no turn may end by this machine's clock in this round, or ""."""
    return clock_watch.find_fault(Heartbeat.objects.filter(name=SWEEPER).first())


@transaction.atomic
def record_heartbeat() -> int:
    """Record that the sweeper runs; after an outage, restore the clocks. Return how many were restored.

    Only for a round whose clock is right. All happens in one transaction, so that after a crash the outage
    is found again, and never twice. Time in read-only mode counts as an outage of any length; it ends with
    the first heartbeat after it. After a wrong clock, deadlines that it may have set are set anew. The time
    of an overload is given back when it is over.
    """
    reading = machine_clock.read()
    now = reading.wall
    heart, is_new = Heartbeat.objects.get_or_create(name=SWEEPER, defaults={"at": now})
    # The row is the lock: of two sweepers one finds the outage.
    heart = Heartbeat.objects.select_for_update().get(pk=heart.pk)
    silent = None if is_new or now - heart.at <= OUTAGE_AFTER else heart.at
    given = 0
    if is_read_only():
        _store_standstill(silent)
    else:
        stopped, doubted = _end_mark(READ_ONLY_MARK) or silent, clock_watch.end_doubt()
        crowded = _follow_overload(now, settle=bool(stopped or doubted))
        if stopped is not None:
            given = _restore_time(min(filter(None, (stopped, doubted, crowded))))
        elif doubted is not None:
            given = _restore_time(min(doubted, crowded or doubted), slack=OUTAGE_AFTER)
        elif crowded is not None:
            given = _restore_time(crowded, slack=OUTAGE_AFTER, short=SHORT_OF_TIME)
    Heartbeat.objects.filter(pk=heart.pk).update(
        at=now, steady_seconds=reading.steady, boot=machine_clock.boot()
    )
    return given


def pay_back() -> int:
    """Give back the time that could not be given back before; return the number of games.

    Until that succeeds, no turn of such a game ends.
    """
    marks = Heartbeat.objects.filter(name__startswith=OWED_MARK).values_list("name", flat=True)
    paid = 0
    for name in list(marks):
        try:
            paid += _pay_back(int(name.removeprefix(OWED_MARK)))
        except Exception as error:  # one broken game must not keep turns of others from ending
            logger.exception("Time is still owed: %s", name)
            task_failures.record("giving time back", error)
    return paid


def owes_time(game: Game) -> bool:
    """Return whether the player to move waits for time that could not be given back yet."""
    return Heartbeat.objects.filter(name=_owed_mark(game.pk)).exists()


def is_read_only() -> bool:
    """Return whether the site is read-only: no clock runs, no bot moves, and no notification is sent."""
    return site_switches.is_on_now(SiteSwitch.Kind.READING)


def _store_standstill(silent: datetime | None) -> None:
    """Store when the clocks stopped: at the start of read-only mode, or of the outage before it."""
    since = site_switches.get(SiteSwitch.Kind.READING).since
    assert since is not None
    began = since if silent is None else min(silent, since)
    Heartbeat.objects.get_or_create(name=READ_ONLY_MARK, defaults={"at": began})


def _follow_overload(now: datetime, *, settle: bool) -> datetime | None:
    """Store when a long overload began; return that time once it is over.

    With `settle`, return it now, and let the rest of the overload count from now on.
    """
    found = overload.underway()
    if found is None:
        ended = _end_mark(overload.MARK)
        if ended is not None:
            overload.use_budget(ended)
        return ended
    if found.last - found.began >= LONG_OVERLOAD:
        Heartbeat.objects.get_or_create(name=overload.MARK, defaults={"at": found.began})
    began = Heartbeat.objects.filter(name=overload.MARK).values_list("at", flat=True).first()
    if not settle or began is None:
        return None
    Heartbeat.objects.filter(name=overload.MARK).update(at=now)
    return began


def _end_mark(name: str) -> datetime | None:
    """Delete this heartbeat and return its time; None if there is none."""
    found = Heartbeat.objects.filter(name=name).first()
    if found is None:
        return None
    found.delete()
    return found.at


def restore_live_time(since: datetime) -> int:
    """Give every player of a live game with a running clock the time left at `since`; return their number."""
    return _restore(since, Q(seconds_per_move__lte=MAX_LIVE_PACE))


def _restore_time(since: datetime, slack: timedelta = timedelta(), short: timedelta = timedelta()) -> int:
    """Do the same in all other games.

    Deadlines that would move by no more than `slack` stay as they are, except those of players with less than
    `short` left.
    """
    return _restore(since, Q(seconds_per_move__gt=MAX_LIVE_PACE), slack, short)


def _restore(
    since: datetime, which: Q, slack: timedelta = timedelta(), short: timedelta = timedelta()
) -> int:
    """Give every player with a running clock in these games the time left at `since`; return their number.

    Nobody gets more than the full time for the decision.
    """
    # Clocks that ran out before are not restored. Games that are about to be paused are included.
    games = _timed(Game.all_games.filter(which, deadline__gt=since).values_list("pk", flat=True))
    restored = 0
    for game in games:
        if game.deadline is None:
            continue
        hours = game_clock.hours(game)
        left = clock_hours.counted_time(since, game.deadline, hours)
        most = game_clock.full_time(game, _decider(game))
        left = min(left, max(most, game_clock.time_per_move(game)))
        moved = abs(game_clock.remaining(game) - left)
        if not slack or moved > (SLIGHT if left < short else slack):
            restored += _set(game, left)
    return restored


@transaction.atomic
def extend(time: timedelta, public_ids: Sequence[str] = ()) -> int:
    """Give players to move extra time, in all games or in these; return the number of games."""
    asked = Game.objects.filter(waiting_for__isnull=False, seconds_per_move__isnull=False, paused=None)
    if public_ids:
        asked = asked.filter(public_id__in=public_ids)
    games = _timed(asked.values_list("pk", flat=True))
    return sum(_set(game, game_clock.remaining(game) + time) for game in games)


def _timed(pks: Iterable[int]) -> list[Game]:
    """Lock these games in the order of their keys; return those whose clock runs or stands still."""
    games = [lock_paused_game(pk) for pk in sorted(pks)]
    return [game for game in games if game.deadline is not None or game.time_left is not None]


def _set(game: Game, left: timedelta) -> bool:
    """Set the time left of the player to move; if that fails, store that it is owed and return False."""
    assert game.seat_to_move is not None
    try:
        with transaction.atomic():
            game_clock.set_time_left(game, left)
            enter_ruling(game, Ruling("extends", game.seat_to_move), seat=game.seat_to_move)
    except Exception as error:  # one broken game must not keep the others from getting their time
        logger.exception("The time of game %s could not be restored", game)
        task_failures.record("giving time back", error)
        owed = f"{game.seat_to_move} {game.version} {left.total_seconds()}"
        Heartbeat.objects.update_or_create(
            name=_owed_mark(game.pk), defaults={"at": timezone.now(), "detail": owed}
        )
        return False
    return True


@transaction.atomic
def _pay_back(game_id: int) -> bool:
    """Give back what is owed in a game; return whether that was done."""
    game = Game.all_games.defer(None).select_for_update(no_key=True).filter(pk=game_id).first()
    mark = Heartbeat.objects.filter(name=_owed_mark(game_id)).first()
    if mark is None or (game is not None and game.paused is not None):
        return False
    mark.delete()
    if game is None or not game.is_running:
        return False
    seat, version, seconds = mark.detail.split()
    owed = timedelta(seconds=float(seconds))
    if game.seat_to_move != int(seat):
        return _fill_bank(
            game, int(seat), owed - clock_hours.counted_time(mark.at, timezone.now(), game_clock.hours(game))
        )
    if game.deadline is None and game.time_left is None:
        return False
    if game.version != int(version):
        # The same player was asked anew, and may get no more than the full time for that.
        owed = min(owed, max(game_clock.full_time(game, _decider(game)), game_clock.time_per_move(game)))
    return owed > game_clock.remaining(game) and _set(game, owed)


def _fill_bank(game: Game, number: int, left: timedelta) -> bool:
    """Give a seat that has decided meanwhile the time bank that it would have; return whether it has less."""
    seat = game.seats.get(number=number)
    if game.time_bank is None or seat.time_bank_left is None:
        return False
    bank = game_clock.cap_to_bank(game, left + game_clock.time_per_move(game))
    if bank <= seat.time_bank_left:
        return False
    seat.time_bank_left = bank
    seat.save(update_fields=["time_bank_left"])
    enter_ruling(game, Ruling("extends", number), seat=number)
    return True


def _owed_mark(game_id: int) -> str:
    return f"{OWED_MARK}{game_id}"


def _decider(game: Game) -> Seat:
    assert game.seat_to_move is not None
    return game.seats.get(number=game.seat_to_move)
