"""Bot that looks one move ahead."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.lookahead import advantage_after
from games.engine.bots.acquire.rollout_policy import disposal
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.moves import Buy, Move, Redraw
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import standings

# With two players the bank's tiles decide at the end, so the end is declared only if it wins in
# this many deals of the hidden tiles.
WINNING_DEALS: Final = 5


def choose(
    seen: Observation, legal_moves: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
) -> Move:
    """The move after which the seat is furthest ahead, chosen at random among equals.

    What the seat cannot see is dealt at random. Shares of a defunct chain are traded if the
    survivor will be expensive enough, else sold. The end is declared only if that wins.
    """
    if len(legal_moves) == 1:
        return legal_moves[0]
    state = sample_state(seen, rng)
    if seen.decision.kind == "dispose":
        return disposal(state)
    for move in legal_moves:
        if isinstance(move, Redraw):
            return move
    going_on = [move for move in legal_moves if not _declares(move)]
    if len(going_on) < len(legal_moves):
        move = _best(state, [move for move in legal_moves if _declares(move)], rng)
        if all(_wins(sample_state(seen, rng), move) for _ in range(WINNING_DEALS)):
            return move
    return _best(state, going_on, rng)


def _declares(move: Move) -> bool:
    return isinstance(move, Buy) and move.end


def _wins(state: State, move: Move) -> bool:
    """Return whether the move ends the game and no other seat is ahead."""
    seat = state.decision.seat
    apply(state, move)
    return any(rank == 1 and winner == seat for rank, winner, _ in standings(state))


def _best(state: State, moves: Sequence[Move], rng: Random) -> Move:
    seat = state.decision.seat
    payments = payments_for(state.rules, state.seats)
    values = [advantage_after(state, move, seat, payments) for move in moves]
    most = max(values)
    return rng.choice([move for move, value in zip(moves, values, strict=True) if value == most])
