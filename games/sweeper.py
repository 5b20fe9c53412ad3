"""Finds what is due, whoever forgot it: moves of computers, people whose time is over, news, stale games,
and games that are over.

The sweeper needs only the database. It hands moves to the workers, and makes them itself when
the broker is away or the workers have let one lie. It never searches for one.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event

from django.db import close_old_connections
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.moderation.sanctions import notify_ended_sanctions
from accounts.privacy.cleanup import delete_expired_daily
from games.analysis import assessment
from games.lobby import stale_games
from games.models import Game, Seat
from games.play.bots import bot_moves
from games.play.bots.bot_schedule import search_time
from games.play.deadlines import outages, overdue, pauses, vacation_clocks
from games.puzzles import puzzle_calendar
from games.ratings import result_queue
from games.realtime import worker_queue
from games.web.notifications.delivery_sweep import deliver_due

log = logging.getLogger(__name__)

ROUND = 10.0

# A move so long overdue is not on its way any more, and one so much longer no worker will make soon:
# where many games wait for searches, a move that needs none does not wait with them.
OVERDUE = timedelta(seconds=5)
NEGLECTED = timedelta(seconds=15)
NEGLECTED_SEARCH = timedelta(seconds=60)


# Other work does not wait longer for games that are over to be read.
COUNTING_SECONDS = 5.0


def sweep() -> int:
    """One round; how many overdue moves it dealt with."""
    # Who becomes late while it goes on is so in the next: a clock that jumps meanwhile is noticed only then.
    began = timezone.now()
    clocks_are_right = _try_clocks(outages.record_heartbeat)
    if outages.is_read_only():
        return 0
    _pause_and_resume()
    clocks_are_right = _try_clocks(vacation_clocks.apply_vacations) and clocks_are_right
    _close_stale_games()
    dealt_with = _move_computers()
    if clocks_are_right:
        dealt_with += _settle_overdue(began)
    _tell_people()
    _count_results()
    _tell_stories()
    _look_after_puzzles()
    notify_ended_sanctions(timezone.now())
    delete_expired_daily(timezone.now())
    return dealt_with


def _pause_and_resume() -> None:
    """Pause games that may not be played here any more, and let those go on that may again.

    It comes before anybody is found to be late: while a game was paused, no time was running.
    """
    for game_id in pauses.to_pause():
        _try(pauses.pause, game_id)
    for game_id in pauses.to_resume():
        _try(pauses.resume, game_id)


def _try_clocks(work: Callable[[], object]) -> bool:
    """Set clocks; whether they can be trusted: nobody is late because of the site.

    What ran during an outage is given back before any clock goes on that stood still.
    """
    try:
        work()
    except Exception:
        log.exception("The clocks could not be set, so nobody is found to be late in this round")
        return False
    return True


def _move_computers() -> int:
    """Hand overdue moves to the workers, or make them here: without a search, for there is other work."""
    now = timezone.now()
    level = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("seat_to_move")).values("bot_level")
    late_games = (
        Game.objects.filter(bot_due_at__lt=now - OVERDUE, paused=None)
        .order_by("bot_due_at")
        .annotate(level=Subquery(level))
    )
    found = list(late_games.values_list("pk", "version", "bot_due_at", "system", "level"))
    for game_id, version, due, system, level in found:
        assert due is not None
        patience = NEGLECTED_SEARCH if search_time(system, level) else NEGLECTED
        try:
            if due < now - patience or not worker_queue.request_bot_move(game_id, version, due):
                bot_moves.play_bot_move(game_id, version, quickly=True)
        except Exception:  # one broken game must not keep the others waiting
            log.exception("The computer's move %s of game %s could not be made", version + 1, game_id)
    return len(found)


def _settle_overdue(began: datetime) -> int:
    """Do what follows where a person's time was over when the round began."""
    late_games = Game.objects.filter(deadline__lte=began, paused=None).order_by("deadline")
    found = list(late_games.values_list("pk", "version"))
    for game_id, version in found:
        try:
            overdue.settle_timeout(game_id, version)
        except Exception:
            log.exception("Game %s could not be played on when time was over", game_id)
    return len(found)


def _tell_people() -> None:
    """Send what people are to be told."""
    try:
        deliver_due()
    except Exception:
        log.exception("What people are to be told could not be sent")


def _count_results() -> None:
    """Have games read that are over and that no worker has read; here, when the broker is away."""
    try:
        if result_queue.has_due_results(timezone.now() - OVERDUE) and not worker_queue.request_result_count():
            result_queue.count_results(seconds=COUNTING_SECONDS)
    except Exception:
        log.exception("Games that are over could not be read")


def _tell_stories() -> None:
    """Have the decisions of games that are over rated, where no worker is at it."""
    try:
        assessment.request_due_reports(timezone.now())
    except Exception:
        log.exception("The stories of games could not be asked for")


def _look_after_puzzles() -> None:
    """See to it that there is a puzzle today, and that workers look for those of the days to come."""
    try:
        puzzle_calendar.maintain_puzzles()
    except Exception:
        log.exception("The puzzles could not be looked after")


def _close_stale_games() -> None:
    """Tell the hosts of games that wait for long, and close those that waited too long."""
    now = timezone.now()
    waiting = Game.objects.filter(status=Game.Status.OPEN, paused=None).order_by("opened")
    stale = waiting.filter(opened__lte=now - stale_games.CLOSE_AFTER)
    for game_id in stale.values_list("pk", flat=True):
        _try(stale_games.close_stale, game_id)
    warn = waiting.filter(opened__lte=now - stale_games.WARN_AFTER, close_warning_at=None)
    for game_id in warn.values_list("pk", flat=True):
        _try(stale_games.warn_host, game_id)


def _try(work: Callable[..., None], game_id: int) -> None:
    try:
        work(game_id=game_id)
    except Exception:
        log.exception("%s failed for game %s", work.__name__, game_id)


def sweep_forever(stop: Event) -> None:
    """Round after round until `stop` is set. A round that fails is logged, and the next one comes."""
    while not stop.is_set():
        started = time.monotonic()
        close_old_connections()
        try:
            sweep()
        except Exception:
            log.exception("A round of the sweeper failed")
        stop.wait(max(0.0, ROUND - (time.monotonic() - started)))
