"""Work for Celery's workers. Every task may come late or twice."""

import logging

from celery import Task, shared_task

from games.analysis import assessment
from games.analysis.advice import compute_advice
from games.engine.bots.thinking_time import ThinkingTime
from games.play.bots import bot_failures, bot_moves
from games.play.deadlines import outages
from games.puzzles import puzzle_search
from games.ratings import result_queue
from games.realtime import worker_queue
from games.web.notifications import delivery

log = logging.getLogger(__name__)

# Well within the time that a task may take, with one more mail on its way.
DELIVERY_SECONDS = 20.0

# A small part of the minute after which it is asked for again, so that computers go on playing meanwhile.
PUZZLE_SECONDS = 8.0
# The last decision that was begun is looked at to its end: some seconds of a core, more on a busy machine.
PUZZLE_LIMIT = 200

# Nothing more is begun after that; the sweeper asks again. What is begun may take longer, as when a game from
# long ago counts no more: all that came after it is taken back at once.
COUNTING_SECONDS = 20.0


@shared_task(bind=True)
def play_computer(self: "Task[[int, int], None]", game_id: int, version: int) -> None:
    """Let a computer move if it still has to.

    What comes back from a worker that did not survive it is not searched a second time.
    """
    if outages.is_read_only():
        return  # the sweeper asks again
    came_back = bool((self.request.delivery_info or {}).get("redelivered"))
    if came_back:
        bot_failures.record_lost_task(game_id, version)
    if bot_moves.play_bot_move(game_id, version, quickly=came_back) and came_back:
        log.error(
            "Move %s of game %s came back from a worker that ended before it was made", version + 1, game_id
        )


@shared_task(bind=True)
def advise(self: "Task[[int, int], None]", game_id: int, version: int) -> None:
    """Find out what a computer would do in the place of the person who is asked.

    What comes back from a worker that did not survive it is let go: the person can ask again.
    """
    if not (self.request.delivery_info or {}).get("redelivered"):
        compute_advice(game_id, version)


@shared_task
def assess(game_id: int) -> None:
    """Rate some more decisions of a game that is over, and have a worker go on with the rest later."""
    if outages.is_read_only():
        return  # the sweeper asks again
    if assessment.assess_next_moves(game_id):
        worker_queue.request_assessment(game_id)


@shared_task(soft_time_limit=PUZZLE_LIMIT, time_limit=PUZZLE_LIMIT + 30)
def find_puzzles() -> None:
    """Look for puzzles of the days to come for some seconds; the sweeper asks again if more are missing."""
    if not outages.is_read_only():
        puzzle_search.fill_stock(ThinkingTime(PUZZLE_SECONDS))


@shared_task
def deliver() -> None:
    """Send what people are to be told, as far as nobody else does."""
    if outages.is_read_only():
        return  # the sweeper asks again
    delivery.deliver(DELIVERY_SECONDS)


@shared_task(soft_time_limit=600, time_limit=660)
def count_results() -> None:
    """Read games that are over, and change the ratings by what they tell, as far as nobody else does."""
    if outages.is_read_only():
        return  # the sweeper asks again
    result_queue.count_results(seconds=COUNTING_SECONDS)
