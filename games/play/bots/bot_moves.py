"""Moves of the site's bots, chosen from what their seat knows and made by `play_move`."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random, SystemRandom
from typing import Any

from django.utils import timezone

from accounts.refusals import Refusal
from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.bots.thinking_time import ThinkingTime, no_time_limit
from games.engine.rules.rule_errors import IllegalMove
from games.models import Game
from games.play.bots import bot_failures
from games.play.bots.bot_cache import bot_cache
from games.play.bots.bot_schedule import HANDLING_TIME, lateness, search_time
from games.play.play_move import play_move
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.realtime import worker_queue

logger = logging.getLogger(__name__)

# Longer than any move waits until it is due and a worker takes it.
CACHE_SECONDS = 300

# Longer than a task that a worker lost takes to come back.
BEGUN_SECONDS = 600


def play_bot_move(game_id: int, version: int, *, quickly: bool = False) -> bool:
    """Let the bot to move at this version of the game move; return whether it has chosen a move.

    The request may be late or repeated: if the game has moved on, nothing happens. A move chosen long before
    it is due is cached, and a worker is requested for that time, so that no worker waits while other games
    need one. With `quickly` the stand-in decides in place of a level that searches.
    """
    game = Game.with_secrets.filter(
        pk=game_id, version=version, bot_due_at__isnull=False, paused=None
    ).first()
    if game is None or game.seat_to_move is None or game.bot_due_at is None:
        return False
    with _recording_failure(game):
        return _move(game, game.bot_due_at, quickly)


def _move(game: Game, due: datetime, quickly: bool) -> bool:
    """Choose the move and make it now, or cache it and request a worker for the time it is due."""
    move, late = bot_cache.get(_cache_key(game)) or _choose_and_time(game, due, quickly)
    moment = due + late
    if moment - timezone.now() > HANDLING_TIME:
        bot_cache.set(_cache_key(game), (move, late), CACHE_SECONDS)
        if worker_queue.request_bot_move(game.pk, game.version, moment):
            return True
    time.sleep(max(0.0, (moment - timezone.now()).total_seconds()))
    return _play(game, move)


def _choose_and_time(game: Game, due: datetime, quickly: bool) -> tuple[str, timedelta]:
    """Choose the bot's move; return it and how long after its due time it is made."""
    assert game.seat_to_move is not None
    level = game.seats.get(number=game.seat_to_move).bot_level
    if search_time(game.system, level):
        if quickly:
            return str(_choose(game, STAND_IN_LEVEL)), lateness(game.system, level, due, timezone.now())
        bot_cache.set(_begun_key(game.pk, game.version), True, BEGUN_SECONDS)
    move = _choose(game, level)
    return str(move), lateness(game.system, level, due, timezone.now())


def _cache_key(game: Game) -> str:
    """The cache key of a chosen move that is not made yet."""
    return f"chosen-{game.pk}-{game.version}"


def has_begun_search(game_id: int, version: int) -> bool:
    """Return whether a worker has lately begun to search for the move at this version of the game."""
    return bool(bot_cache.get(_begun_key(game_id, version)))


def _begun_key(game_id: int, version: int) -> str:
    return f"begun-{game_id}-{version}"


def forget_cached_move(game: Game) -> None:
    """Delete the cached move of this decision, so that it is chosen anew."""
    bot_cache.delete(_cache_key(game))


def play_for_overdue(game_id: int, version: int) -> bool:
    """Let a bot decide once for a person whose time is up; return whether its move was made.

    The request may be late or repeated: if the game has moved on or there is time left, nothing happens.
    """
    game = Game.with_secrets.filter(
        pk=game_id, version=version, deadline__lte=timezone.now(), paused=None
    ).first()
    if game is None:
        return False
    with _recording_failure(game):
        return _play(game, str(_choose(game, STAND_IN_LEVEL)), overdue=True)


@contextmanager
def _recording_failure(game: Game) -> Iterator[None]:
    """Record a failure if an exception keeps the bot from being asked at all."""
    try:
        yield
    except Exception as error:
        bot_failures.record_failure(game, "", type(error).__name__)
        raise


def _play(game: Game, move: str, **how: bool) -> bool:
    assert game.seat_to_move is not None
    try:
        play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=move, by=None, **how)
    except (Refusal, IllegalMove):
        # Somebody was faster: another worker, or the person who holds or held this seat.
        return False
    return True


def _choose(game: Game, level: str) -> Any:
    """Choose a move for the seat to move.

    If the level fails or takes far too long, the stand-in chooses, and if that fails, chance: no game may get
    stuck.
    """
    system, rng = game.rule_system, SystemRandom()
    seen = system.observe(system.state_from_json(game.state), game.seat_to_move, memory=True)
    for name in dict.fromkeys([level, STAND_IN_LEVEL]):
        try:
            return _decide(BOTS[game.system][name], seen, rng)
        except Exception as error:  # including the task's time limit
            logger.exception(
                "The computer opponent %s failed in game %s at version %s", name, game, game.version
            )
            bot_failures.record_failure(game, name, type(error).__name__)
    return rng.choice(seen.legal)


def _decide(bot: Bot, seen: Any, rng: Random) -> Any:
    move = bot.choose(
        seen, seen.legal, rng, no_time_limit if bot.seconds is None else ThinkingTime(bot.seconds)
    )
    if move not in seen.legal:
        raise ValueError("This move is not legal.")
    return move
