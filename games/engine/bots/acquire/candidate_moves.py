"""Candidate moves: the moves worth trying."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.lookahead import advantage_after
from games.engine.rules.acquire.moves import Buy, Dispose, Move
from games.engine.rules.acquire.observation import Observation, sample_state

# For this many of the best purchases, ending the game with them is tried as well.
MAX_ENDINGS: Final = 4


def candidates(seen: Observation, legal: Sequence[Move], purchases: int, rng: Random) -> Sequence[Move]:
    """The candidate moves: the best `purchases` purchases, typical disposals, else all legal moves."""
    if seen.decision.kind == "buy":
        return _purchases(seen, legal, purchases, rng)
    if seen.decision.kind == "dispose":
        return _disposals(legal)
    return legal


def _purchases(seen: Observation, legal: Sequence[Move], most: int, rng: Random) -> list[Move]:
    state = sample_state(seen, rng)
    payments = payments_for(seen.rules, seen.seats)
    going_on = [move for move in legal if isinstance(move, Buy) and not move.end]
    ending = {move.shares: move for move in legal if isinstance(move, Buy) and move.end}
    going_on.sort(key=lambda move: -advantage_after(state, move, state.turn, payments))
    best = going_on[:most]
    return [*best, *(ending[move.shares] for move in best[:MAX_ENDINGS] if ending)]


def _disposals(legal: Sequence[Move]) -> list[Move]:
    """Sell all, keep all, trade all or half of what can be traded, and some mixtures."""
    answers = {(move.sell, move.trade): move for move in legal if isinstance(move, Dispose)}
    held = max(sell + trade for sell, trade in answers)
    traded = max(trade for _, trade in answers)
    half = traded // 4 * 2
    wanted = [(held, 0), (0, 0), (held - traded, traded), (0, traded), (held - half, half)]
    if held > 3:
        wanted += [(held - 2, 0), (held // 2, 0)]
    return [answers[answer] for answer in dict.fromkeys(wanted)]
