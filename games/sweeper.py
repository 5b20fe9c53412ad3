"""Find due work whose request was lost: bot moves, timeouts, notifications, stale games, results.

The sweeper needs only the database. It hands moves to the workers, and makes them itself when the broker is
down or no worker has taken one. It never runs a search.
"""

import logging
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread

from django.db import close_old_connections
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.moderation.sanctions import notify_ended_sanctions
from accounts.privacy.cleanup import delete_expired_daily
from games.analysis import assessment
from games.clocks import overload
from games.insights import decision_count
from games.lobby import live_queue, ready_check, stale_games
from games.models import Game, ProcessSign, Seat
from games.models.game import MAX_LIVE_PACE
from games.play.automation import due_answers
from games.play.bots import bot_moves
from games.play.bots.bot_schedule import search_time
from games.play.deadlines import outages, overdue, pauses, vacation_clocks
from games.play.deadlines.live_deadlines import LiveDeadlines
from games.play.seats import end_votes
from games.processes import heartbeat_files, process_signs, task_failures
from games.puzzles import puzzle_calendar, puzzle_themes
from games.ratings import result_queue
from games.realtime import worker_queue
from games.retries import mistake_search
from games.web.notifications.delivery_sweep import deliver_due

logger = logging.getLogger(__name__)

ROUND_SECONDS = 10.0

# After the first time a bot's move counts as lost, after the others no worker will make it soon. The
# two differ so that a move without a search does not wait behind searches.
OVERDUE_AFTER = timedelta(seconds=5)
NEGLECTED_AFTER = timedelta(seconds=15)
NEGLECTED_SEARCH_AFTER = timedelta(seconds=60)


# The longest time that counting results may hold up other work.
COUNTING_SECONDS = 5.0
# The same for decisions, of which each game takes some hundredths of a second.
DECISION_SECONDS = 1.0


def sweep() -> int:
    """Run one round; return the number of overdue moves it has dealt with."""
    # Timeouts during this round wait for the next: only then is a jump of the machine's clock noticed.
    began = timezone.now()
    if not _clock_is_right():
        return _do_what_needs_no_clock()
    clocks_are_right = _try_clocks(outages.record_heartbeat)
    if outages.is_read_only():
        return 0
    clocks_are_right = _try_clocks(outages.pay_back) and clocks_are_right
    _pause_and_resume()
    clocks_are_right = _try_clocks(vacation_clocks.apply_vacations) and clocks_are_right
    _settle_votes()
    _close_stale_games()
    _match_queue()
    _play_due_answers()
    dealt_with = _play_overdue_bot_moves()
    # Moves that would have come in time may be among the requests that were refused.
    if clocks_are_right and overload.underway() is None:
        dealt_with += _settle_overdue(began)
    _deliver_notifications()
    _count_results()
    _request_reviews()
    _count_decisions()
    _maintain_puzzles()
    notify_ended_sanctions(timezone.now())
    delete_expired_daily(timezone.now())
    return dealt_with


def _clock_is_right() -> bool:
    """Return whether this round may set and judge clocks by this machine's clock."""
    try:
        return not outages.find_clock_fault()
    except Exception:
        _report_error("The clock could not be checked, so this round sets and judges no clocks")
        return False


def _do_what_needs_no_clock() -> int:
    """Do the part of a round that moves no deadline and ends nothing, so that a wrong clock does no harm."""
    if outages.is_read_only():
        return 0
    dealt_with = _play_overdue_bot_moves(only_request=True)
    _deliver_notifications()
    _count_results()
    _request_reviews()
    return dealt_with


def _pause_and_resume() -> None:
    """Pause games of withheld rule systems, and resume those that may be played again.

    Runs before timeouts are settled, because no time ran while a game was paused.
    """
    for game_id in pauses.to_pause():
        _try(pauses.pause, game_id)
    for game_id in pauses.to_resume():
        _try(pauses.resume, game_id)


def _try_clocks(work: Callable[[], object]) -> bool:
    """Set clocks; return whether it succeeded, so that timeouts can be settled.

    Time lost in an outage is restored before any stopped clock goes on.
    """
    try:
        work()
    except Exception:
        _report_error("The clocks could not be set, so this round settles no timeouts")
        return False
    return True


def _play_due_answers() -> None:
    """Play the answers of orders and plans that no worker has played.

    Runs before timeouts are settled: a player whose answer was ready is not late.
    """
    now = timezone.now()
    for game_id in list(due_answers.games_with_due_answers(now).values_list("pk", flat=True)):
        try:
            due_answers.play_due_answer(game_id, now)
        except Exception:
            _report_error("The answer that is due in game %s could not be played", game_id)


def _play_overdue_bot_moves(*, only_request: bool = False) -> int:
    """Request workers for overdue bot moves, or make them here without a search.

    With `only_request` the clock proves no move neglected; without a broker moves are made here all the same.
    """
    now = timezone.now()
    level = Seat.objects.filter(game=OuterRef("pk"), number=OuterRef("seat_to_move")).values("bot_level")
    late_games = (
        Game.objects.filter(bot_due_at__lt=now - OVERDUE_AFTER, paused=None)
        .order_by("bot_due_at")
        .annotate(level=Subquery(level))
    )
    found = list(late_games.values_list("pk", "version", "bot_due_at", "system", "level"))
    for game_id, version, due, system, level in found:
        assert due is not None
        heartbeat_files.beat("sweeper")
        patience = NEGLECTED_SEARCH_AFTER if search_time(system, level) else NEGLECTED_AFTER
        try:
            is_neglected = due < now - patience and not only_request
            if is_neglected or not worker_queue.request_bot_move(game_id, version, due):
                bot_moves.play_bot_move(game_id, version, quickly=True)
        except Exception:  # one broken game must not hold up the others
            _report_error("Bot move %s of game %s could not be made", version + 1, game_id)
    return len(found)


def _settle_overdue(began: datetime) -> int:
    """Settle the timeouts of players whose time was up when the round began."""
    # Live games have rounds of their own.
    late_games = Game.objects.filter(
        deadline__lte=began, seconds_per_move__gt=MAX_LIVE_PACE, paused=None
    ).order_by("deadline")
    found = list(late_games.values_list("pk", "version"))
    for game_id, version in found:
        heartbeat_files.beat("sweeper")
        try:
            overdue.settle_timeout(game_id, version)
        except Exception:
            _report_error("The timeout in game %s could not be settled", game_id)
    return len(found)


def _deliver_notifications() -> None:
    """Send the notifications that are due."""
    try:
        deliver_due()
    except Exception:
        _report_error("The due notifications could not be sent")


def _count_results() -> None:
    """Request a worker to count due results, or count them here when the broker is down."""
    try:
        if (
            result_queue.has_due_results(timezone.now() - OVERDUE_AFTER)
            and not worker_queue.request_result_count()
        ):
            result_queue.count_results(seconds=COUNTING_SECONDS)
    except Exception:
        _report_error("The results of finished games could not be counted")


def _request_reviews() -> None:
    """Request workers for unfinished game reviews that no worker is at."""
    try:
        assessment.request_due_reviews(timezone.now())
    except Exception:
        _report_error("Game reviews could not be requested")


def _count_decisions() -> None:
    """Count the decisions of reviews that are done, and request workers for the mistakes among them."""
    try:
        decision_count.count_done_reviews(DECISION_SECONDS)
        mistake_search.request_search()
    except Exception:
        _report_error("The decisions of finished games could not be counted")


def _maintain_puzzles() -> None:
    """Provide today's puzzle, and request workers to search for those of the days to come."""
    try:
        puzzle_calendar.maintain_puzzles()
        puzzle_themes.set_missing_themes()
    except Exception:
        _report_error("The puzzles could not be maintained")


def _settle_votes() -> None:
    """End games in which all agree but a player whose seat is kept no longer."""
    for game_id in end_votes.waiting_for_lapsed(timezone.now()):
        _try(end_votes.settle_lapsed, game_id)


def _close_stale_games() -> None:
    """Warn the hosts of games that have been open for long, and close those open too long."""
    now = timezone.now()
    waiting = Game.objects.filter(status=Game.Status.OPEN, paused=None).order_by("opened")
    stale = waiting.filter(opened__lte=now - stale_games.CLOSE_AFTER)
    for game_id in stale.values_list("pk", flat=True):
        _try(stale_games.close_stale, game_id)
    warn = waiting.filter(opened__lte=now - stale_games.WARN_AFTER, close_warning_at=None)
    for game_id in warn.values_list("pk", flat=True):
        _try(stale_games.warn_host, game_id)


def _match_queue() -> None:
    """Make games for members who wait for a live one, and take out those who have closed the page."""
    try:
        live_queue.match()
    except Exception:
        _report_error("The queue for live games could not be matched")
    try:
        live_queue.take_out_gone(timezone.now())
    except Exception:
        _report_error("Members who have left the queue for live games could not be taken out")


def _try(work: Callable[..., None], game_id: int) -> None:
    try:
        work(game_id=game_id)
    except Exception:
        _report_error("%s failed for game %s", work.__name__, game_id)


def sweep_forever(stop: Event) -> None:
    """Run rounds until `stop` is set, beside those of live deadlines; a failed round is logged."""
    sign = process_signs.SignOfLife(ProcessSign.Kind.SWEEPER)
    deadlines = LiveDeadlines(ready_check.settle)
    live = Thread(target=deadlines.run, args=[stop], name="live deadlines", daemon=True)
    live.start()
    while not stop.is_set():
        started = time.monotonic()
        heartbeat_files.beat("sweeper")
        close_old_connections()
        sign.show()
        try:
            sweep()
        except Exception:
            _report_error("A round of the sweeper failed")
        stop.wait(max(0.0, ROUND_SECONDS - (time.monotonic() - started)))
    live.join(ROUND_SECONDS)
    sign.end()


def _report_error(message: str, *args: object) -> None:
    """Log the error that is being handled, and count it for the operator."""
    logger.exception(message, *args)
    task_failures.record("the sweeper", sys.exception())
