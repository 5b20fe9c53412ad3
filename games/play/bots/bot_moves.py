"""Computer opponents at the table: they see what a person in their seat would see, and use the same door."""

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

log = logging.getLogger(__name__)

# Longer than any move waits until it is due, and for a worker then.
KEPT_SECONDS = 300


def play_bot_move(game_id: int, version: int, *, quickly: bool = False) -> bool:
    """Let the computer that is to move at this version of the game move; whether it has decided.

    Assumes to be late or second: if the game has moved on, nothing happens. A move that is chosen long
    before it is made is kept, and a worker is asked again for then, so that no worker waits while other
    games do. With `quickly` a level that searches is spared the search: the stand-in decides.
    """
    game = Game.with_secrets.filter(
        pk=game_id, version=version, bot_due_at__isnull=False, paused=None
    ).first()
    if game is None or game.seat_to_move is None or game.bot_due_at is None:
        return False
    with _recording_failure(game):
        return _move(game, game.bot_due_at, quickly)


def _move(game: Game, due: datetime, quickly: bool) -> bool:
    """Decide and make the move, or have it made when its moment comes."""
    move, late = bot_cache.get(_cache_key(game)) or _decided(game, due, quickly)
    moment = due + late
    if moment - timezone.now() > HANDLING_TIME:
        bot_cache.set(_cache_key(game), (move, late), KEPT_SECONDS)
        if worker_queue.request_bot_move(game.pk, game.version, moment):
            return True
    time.sleep(max(0.0, (moment - timezone.now()).total_seconds()))
    return _play(game, move)


def _decided(game: Game, due: datetime, quickly: bool) -> tuple[str, timedelta]:
    """The move of the computer that is to move, and how long after it is due it is made."""
    assert game.seat_to_move is not None
    level = game.seats.get(number=game.seat_to_move).bot_level
    move = _choose(game, STAND_IN_LEVEL if quickly and search_time(game.system, level) else level)
    return str(move), lateness(game.system, level, due, timezone.now())


def _cache_key(game: Game) -> str:
    """Where what a computer has decided is kept until its move is made: like the state, in the database."""
    return f"chosen-{game.pk}-{game.version}"


def forget_cached_move(game: Game) -> None:
    """Choose anew for this decision, whatever was chosen for it and not made yet."""
    bot_cache.delete(_cache_key(game))


def play_for_overdue(game_id: int, version: int) -> bool:
    """Let a computer decide, this once, for a person whose time is over; whether its move stands.

    Assumes to be late or second: if the game has moved on, or there is time left, nothing happens.
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
    """Note it where a game has to wait because its computer could not even be asked."""
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
        # Somebody was faster: another worker, or the person whose seat this is or was.
        return False
    return True


def _choose(game: Game, level: str) -> Any:
    """The level's choice for the decider.

    The stand-in chooses if the level fails or takes far too long, and else chance: no game may be stuck.
    """
    system, rng = game.rule_system, SystemRandom()
    seen = system.observe(system.state_from_json(game.state), game.seat_to_move, memory=True)
    for name in dict.fromkeys([level, STAND_IN_LEVEL]):
        try:
            return _decide(BOTS[game.system][name], seen, rng)
        except Exception as error:  # the task's time limit is among them
            log.exception(
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
