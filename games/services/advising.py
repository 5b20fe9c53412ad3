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

from accounts.services.refusals import Refusal
from games.bots import ADVISERS, BOTS, Bot, Cap, Estimate, never
from games.models import Game, Seat

from . import worker_queue
from .errors import Counts, NoAdviser, NotAlone, NotSeated, OnlyMove, OtherDecision
from .thoughts import cache

log = logging.getLogger(__name__)

# Somebody who was asked so many seconds ago will not answer any more.
PATIENCE: Final = 30
KEPT_SECONDS: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class Advice:
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
    if game.decider != seat or seats[seat].by_computer:
        return OtherDecision()
    if game.rated:
        return Counts()
    if any(other.owner_id is not None for other in seats if other.number != seat):
        return NotAlone()
    if _adviser(game) is None:
        return NoAdviser()
    if choices < 2:
        return OnlyMove()
    return None


def advice(game: Game) -> Advice:
    """What is known for the seat that is to decide at this version of the game: nobody else may read it."""
    kept = cache.get(_kept(game))
    if not kept:
        return Advice(asked=kept is not None)
    parse = game.rule_system.parse_move
    return Advice(estimates=tuple(Estimate(parse(text), *numbers) for text, *numbers in kept))


def ask_advice(game: Game) -> None:
    """Have a worker think about it: once, however often it is asked. Raises NoAdviser if none can be told.

    The caller has seen that nothing is against it.
    """
    if not cache.add(_kept(game), [], PATIENCE):
        return
    if not worker_queue.request_advice(game.pk, game.version):
        cache.delete(_kept(game))
        raise NoAdviser


def advise(game_id: int, version: int) -> bool:
    """Think about the decision at this version of the game and keep the answer; whether there is one.

    Assumes to be late or second: if the game has moved on, nothing happens. The chance is drawn from
    what names the decision: thinking about it once more, once the answer is forgotten, comes to the
    same unless time runs out on the way.
    """
    asked = Game.with_secrets.filter(pk=game_id, version=version, decider__isnull=False, due=None)
    game = asked.first()
    if game is None:
        return False
    system = game.rule_system
    seen = system.observe(system.from_json(game.state), game.decider, memory=True)
    if reason_against_advice(game, list(game.seats.all()), game.decider, len(seen.legal)):
        return False
    try:
        found = _weigh(_adviser(game), seen, Random(f"{game.public_id} {version} {game.decider}"))
    except Exception:  # the task's time limit is among them
        log.exception(
            "The computer opponent %s failed to advise in game %s at version %s",
            ADVISERS[game.system],
            game,
            version,
        )
        cache.delete(_kept(game))
        return False
    cache.set(_kept(game), [(str(e.move), e.chance, e.lead, e.tries) for e in found], KEPT_SECONDS)
    return True


def _weigh(bot: Bot | None, seen: Any, rng: Random) -> list[Estimate]:
    assert bot is not None and bot.advise is not None
    found = bot.advise(seen, seen.legal, rng, never if bot.seconds is None else Cap(bot.seconds))
    if not found or any(estimate.move not in seen.legal for estimate in found):
        raise ValueError("It answered with no legal move.")
    return found


def _adviser(game: Game) -> Bot | None:
    bot = BOTS[game.system].get(ADVISERS[game.system])
    return bot if bot is not None and bot.advise is not None else None


def _kept(game: Game) -> str:
    """Where the answer is kept, nothing yet while it is to come: like the state, in the database."""
    return f"advice-{game.pk}-{game.version}-{game.decider}"
