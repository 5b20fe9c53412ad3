"""Celery tasks. Every task may run late or twice."""

import logging
from datetime import datetime

from celery import Task, shared_task

from games.analysis import assessment
from games.analysis.advice import compute_advice
from games.engine.bots.thinking_time import ThinkingTime
from games.play.automation import due_answers
from games.play.bots import bot_failures, bot_moves
from games.play.deadlines import outages
from games.puzzles import puzzle_search
from games.ratings import result_queue
from games.realtime import worker_queue
from games.retries import mistake_search
from games.web.notifications import delivery

logger = logging.getLogger(__name__)

# Leaves time for one more mail within the time limit of a task.
DELIVERY_SECONDS = 20.0

# A small part of the minute until the next request, so that bots can move in between.
PUZZLE_SECONDS = 8.0
# The last decision begun is searched to its end: some seconds of a core, more on a busy machine.
PUZZLE_LIMIT_SECONDS = 200

# The same for the better moves of mistakes; two searches of one decision end well within the task's limit.
MISTAKE_SECONDS = 8.0

# No game is begun after this time; the sweeper requests the rest. One game may take longer: if an old
# game no longer counts, all later results are undone at once.
COUNTING_SECONDS = 20.0


@shared_task(bind=True)
def play_computer(self: "Task[[int, int], None]", game_id: int, version: int) -> None:
    """Make a bot's move if it is still to be made.

    A move that comes back from a worker that ended during its search is made without a second search; one
    that only waited there is made as usual.
    """
    if outages.is_read_only():
        return  # the sweeper asks again
    came_back = bool((self.request.delivery_info or {}).get("redelivered"))
    was_lost = came_back and bot_moves.has_begun_search(game_id, version)
    if was_lost:
        bot_failures.record_lost_task(game_id, version)
    if bot_moves.play_bot_move(game_id, version, quickly=was_lost) and was_lost:
        logger.error(
            "Move %s of game %s came back from a worker that ended before it was made", version + 1, game_id
        )


@shared_task
def play_answer(game_id: int, due: str) -> None:
    """Play the answer of an order or a plan that was due at this time, unless it has been played.

    The clock of this process, which may be slightly slow, does not count.
    """
    if not outages.is_read_only():  # else the sweeper asks again
        due_answers.play_due_answer(game_id, datetime.fromisoformat(due))


@shared_task(bind=True)
def advise(self: "Task[[int, int], None]", game_id: int, version: int) -> None:
    """Choose the move that a bot would make for the player who wants advice.

    A request that comes back from a worker that ended is dropped: the player can ask again.
    """
    if not (self.request.delivery_info or {}).get("redelivered"):
        compute_advice(game_id, version)


@shared_task
def assess(game_id: int) -> None:
    """Assess some more decisions of a finished game, and request a worker for the rest."""
    if outages.is_read_only():
        return  # the sweeper asks again
    if assessment.assess_next_moves(game_id):
        worker_queue.request_assessment(game_id)


@shared_task(soft_time_limit=PUZZLE_LIMIT_SECONDS, time_limit=PUZZLE_LIMIT_SECONDS + 30)
def find_puzzles() -> None:
    """Search for puzzles of the days to come for some seconds; the sweeper requests more if needed."""
    if not outages.is_read_only():
        puzzle_search.fill_stock(ThinkingTime(PUZZLE_SECONDS))


@shared_task
def search_mistakes() -> None:
    """Search for the better moves of mistakes for some seconds; the sweeper requests more if needed."""
    if not outages.is_read_only():
        mistake_search.search_mistakes(ThinkingTime(MISTAKE_SECONDS))


@shared_task
def deliver() -> None:
    """Send the due notifications that no other worker is sending."""
    if outages.is_read_only():
        return  # the sweeper asks again
    delivery.deliver(DELIVERY_SECONDS)


@shared_task(soft_time_limit=600, time_limit=660)
def count_results() -> None:
    """Count the results of finished games that no other worker is counting, and update the ratings."""
    if outages.is_read_only():
        return  # the sweeper asks again
    result_queue.count_results(seconds=COUNTING_SECONDS)
