"""What a computer opponent would do in a person's place, for those who play for fun against computers alone.

The person asks, a worker thinks, and the answer is kept for that seat and that version of the game
only. It is made from the observation of the person's own seat, so it holds nothing that the person
could not have worked out from the page and the log.
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

# Somebody who was asked so many seconds ago will not answer any more.
PATIENCE: Final = 30
KEPT_SECONDS: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class AdviceState:
    """What was asked and answered: `asked` while the answer is to come, the `estimates` best first."""

    asked: bool = False
    estimates: tuple[Estimate, ...] = ()


def reason_against_advice(
    game: Game, seats: Sequence[Seat], seat: int | None, choices: int
) -> Refusal | None:
    """Why whoever sits there (None: nobody) gets no advice now, None when nothing is against it.

    `choices` is the number of legal moves. NotSeated, OtherDecision, Counts, NotAlone, NoAdviser, or
    OnlyMove.
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
    """What is known for the seat that is to decide at this version of the game: nobody else may read it."""
    kept = bot_cache.get(_cache_key(game))
    if not kept:
        return AdviceState(asked=kept is not None)
    parse = game.rule_system.parse_move
    return AdviceState(estimates=tuple(Estimate(parse(text), *numbers) for text, *numbers in kept))


def ask_advice(game: Game) -> None:
    """Have a worker think about it: once, however often it is asked. Raises NoAdviser if none can be told.

    The caller has seen that nothing is against it.
    """
    if not bot_cache.add(_cache_key(game), [], PATIENCE):
        return
    if not worker_queue.request_advice(game.pk, game.version):
        bot_cache.delete(_cache_key(game))
        raise AdviceUnavailable


def compute_advice(game_id: int, version: int) -> bool:
    """Think about the decision at this version of the game and keep the answer; whether there is one.

    Assumes to be late or second: if the game has moved on, nothing happens. The chance is drawn from
    what names the decision: thinking about it once more, once the answer is forgotten, comes to the
    same unless time runs out on the way.
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
    except Exception:  # the task's time limit is among them
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
    """Where the answer is kept, nothing yet while it is to come: like the state, in the database."""
    return f"advice-{game.pk}-{game.version}-{game.seat_to_move}"
