"""Requests to workers; the sweeper finds work whose request was lost.

Each function returns whether the broker took the message; without a broker none does.
"""

from datetime import datetime
from typing import Any

from celery import current_app
from django.conf import settings
from django.utils import timezone

from games.realtime.best_effort import best_effort

# With Redis as its broker Celery takes low numbers first; without one a message has 0.
LOWEST_PRIORITY = 9

# Low-priority work is requested again, so a message that no worker took in this time expires.
VOID_AFTER = 60.0


def request_bot_move(game_id: int, version: int, begin: datetime) -> bool:
    """Request a worker to begin with a bot's move at that time.

    The worker holds the message until then, so that no other game waits behind this one.
    """
    wait = max(0.0, (begin - timezone.now()).total_seconds())
    return _request("games.tasks.play_computer", args=[game_id, version], countdown=wait)


def request_answer(game_id: int, due: datetime) -> bool:
    """Request a worker to play the answer of an order or a plan at that time."""
    wait = max(0.0, (due - timezone.now()).total_seconds())
    return _request("games.tasks.play_answer", args=[game_id, due.isoformat()], countdown=wait)


def request_advice(game_id: int, version: int) -> bool:
    """Request a worker to choose a bot's move for a player who wants advice."""
    return _request("games.tasks.advise", args=[game_id, version])


def request_assessment(game_id: int) -> bool:
    """Request a worker to assess the decisions of a finished game.

    It waits until no bot's move does, though not beyond VOID_AFTER.
    """
    return _request("games.tasks.assess", args=[game_id], priority=LOWEST_PRIORITY, expires=VOID_AFTER)


def request_puzzles() -> bool:
    """Request a worker to search for puzzles when it has no game to serve."""
    return _request("games.tasks.find_puzzles", priority=LOWEST_PRIORITY)


def request_mistake_search() -> bool:
    """Request a worker to search for better moves than members' mistakes when it has no game to serve."""
    return _request("games.tasks.search_mistakes", priority=LOWEST_PRIORITY, expires=VOID_AFTER)


def request_delivery(at: datetime | None = None) -> bool:
    """Request a worker to send the notifications that are due then, or now."""
    if at is None:
        return _request("games.tasks.deliver")
    return _request("games.tasks.deliver", countdown=max(0.0, (at - timezone.now()).total_seconds()))


def request_result_count() -> bool:
    """Request a worker to count the results of finished games."""
    return _request("games.tasks.count_results")


def _request(task: str, **message: Any) -> bool:
    return bool(settings.REDIS_URL) and best_effort(current_app.send_task, task, **message)
