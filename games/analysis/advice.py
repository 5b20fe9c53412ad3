"""Advice: a bot's opinion of a decision, in unrated games of one player against bots.

A worker computes it on request, and it is cached for that seat and that version of the game. It is made from
the observation of the player's own seat, so it reveals nothing that the player could not work out from the
page and the log.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from accounts.refusals import Refusal
from games.engine.bots.bot_levels import ADVISERS, BOTS, Bot
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.thinking_time import ThinkingTime, no_time_limit
from games.models import Game, Seat
from games.play.bots.bot_cache import bot_cache
from games.realtime import worker_queue
from games.refusals import AdviceUnavailable, NotSeated, NotYourDecision, OnlyMove, OthersAtTable, RatedGame

logger = logging.getLogger(__name__)

# Seconds after which a request for advice counts as lost.
PATIENCE: Final = 30
KEPT_SECONDS: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class AdviceState:
    """State of a request: `asked` while the answer is pending, then `estimates`, the best first."""

    asked: bool = False
    estimates: tuple[Estimate, ...] = ()


def reason_against_advice(
    game: Game, seats: Sequence[Seat], seat: int | None, choices: int
) -> Refusal | None:
    """Return why the holder of this seat (None for no seat) gets no advice now, or None.

    `choices` is the number of legal moves. NotSeated, NotYourDecision, RatedGame, OthersAtTable,
    AdviceUnavailable or OnlyMove.
    """
    if seat is None:
        return NotSeated()
    if game.seat_to_move != seat or seats[seat].is_bot_playing:
        return NotYourDecision()
    if game.rated:
        return RatedGame()
    if any(other.owner_id is not None for other in seats if other.number != seat):
        return OthersAtTable()
    if _adviser(game) is None:
        return AdviceUnavailable()
    if choices < 2:
        return OnlyMove()
    return None


def advice(game: Game) -> AdviceState:
    """Return the advice for the seat to move at this version; only that seat may read it."""
    kept = bot_cache.get(_cache_key(game))
    if not kept:
        return AdviceState(asked=kept is not None)
    parse = game.rule_system.parse_move
    return AdviceState(estimates=tuple(Estimate(parse(text), *numbers) for text, *numbers in kept))


def ask_advice(game: Game) -> None:
    """Request advice from a worker, once per decision. Raises AdviceUnavailable if it cannot be queued.

    The caller has checked `reason_against_advice`.
    """
    if not bot_cache.add(_cache_key(game), [], PATIENCE):
        return
    if not worker_queue.request_advice(game.pk, game.version):
        bot_cache.delete(_cache_key(game))
        raise AdviceUnavailable


def compute_advice(game_id: int, version: int) -> bool:
    """Compute and cache the advice for this version of the game; return whether there is some.

    Does nothing if the game has moved on. The random seed is derived from the decision, so that computing it
    again gives the same result unless time runs out.
    """
    asked = Game.with_secrets.filter(pk=game_id, version=version, seat_to_move__isnull=False, bot_due_at=None)
    game = asked.first()
    if game is None:
        return False
    system = game.rule_system
    seen = system.observe(system.state_from_json(game.state), game.seat_to_move, memory=True)
    if reason_against_advice(game, list(game.seats.all()), game.seat_to_move, len(seen.legal)):
        return False
    try:
        found = _weigh(_adviser(game), seen, Random(f"{game.public_id} {version} {game.seat_to_move}"))
    except Exception:  # including the task's time limit
        logger.exception(
            "Bot %s failed to advise in game %s at version %s",
            ADVISERS[game.system],
            game,
            version,
        )
        bot_cache.delete(_cache_key(game))
        return False
    bot_cache.set(_cache_key(game), [(str(e.move), e.chance, e.lead, e.tries) for e in found], KEPT_SECONDS)
    return True


def _weigh(bot: Bot | None, seen: Any, rng: Random) -> list[Estimate]:
    assert bot is not None and bot.advise is not None
    found = bot.advise(
        seen, seen.legal, rng, no_time_limit if bot.seconds is None else ThinkingTime(bot.seconds)
    )
    if not found or any(estimate.move not in seen.legal for estimate in found):
        raise ValueError("It answered with no legal move.")
    return found


def _adviser(game: Game) -> Bot | None:
    bot = BOTS[game.system].get(ADVISERS[game.system])
    return bot if bot is not None and bot.advise is not None else None


def _cache_key(game: Game) -> str:
    """Cache key of the advice; holds an empty list while it is pending. Kept in the database."""
    return f"advice-{game.pk}-{game.version}-{game.seat_to_move}"
