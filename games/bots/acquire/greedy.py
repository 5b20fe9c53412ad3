"""A player who looks one move ahead."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.rules.acquire import (
    Buy,
    Move,
    Observation,
    Redraw,
    State,
    apply,
    determinize,
    effect,
    legal_moves,
    parse_move,
    standings,
)

from ..limits import OutOfTime, never
from .value import advantage

# With two players the bank's tiles decide at the end; the end is declared when so many
# deals of what is unknown all win.
SURE: Final = 5


def choose(
    seen: Observation, legal_moves: Sequence[Move], rng: Random, out_of_time: OutOfTime = never
) -> Move:
    """The move after which the seat is ahead the most; any of them when several are equal.

    What the seat cannot see is dealt at random. Shares of a defunct chain are traded when the
    survivor will be dear enough, else sold. The end is declared only if that wins.
    """
    if len(legal_moves) == 1:
        return legal_moves[0]
    state = determinize(seen, rng)
    seat = state.decision.seat
    if seen.decision.kind == "dispose":
        return _disposal(state)
    for move in legal_moves:
        if isinstance(move, Redraw):
            return move
    going_on = [move for move in legal_moves if not _declares(move)]
    if len(going_on) < len(legal_moves):
        move = _best(state, [move for move in legal_moves if _declares(move)], rng)
        if all(_wins(determinize(seen, rng), move, seat) for _ in range(SURE)):
            return move
    return _best(state, going_on, rng)


def _declares(move: Move) -> bool:
    return isinstance(move, Buy) and move.end


def _wins(state: State, move: Move, seat: int) -> bool:
    """Whether the move ends the game with nobody before the seat."""
    apply(state, move)
    return any(rank == 1 and winner == seat for rank, winner, _ in standings(state))


def _best(state: State, moves: Sequence[Move], rng: Random) -> Move:
    seat = state.decision.seat
    values = [_value(state, move, seat) for move in moves]
    most = max(values)
    return rng.choice([move for move, value in zip(moves, values, strict=True) if value == most])


def _value(state: State, move: Move, seat: int) -> float:
    """What the position is worth to the seat when the move, and all that it leads to at once, is settled."""
    state = state.copy()
    apply(state, move)
    while state.decision.kind == "dispose":
        apply(state, _disposal(state))
    if state.decision.kind in ("found", "survivor", "next"):
        return max(_value(state, follow_up, seat) for follow_up in legal_moves(state))
    return advantage(state, seat)


def _disposal(state: State) -> Move:
    """Trade two for one if the survivor's share will cost twice as much or more, and sell the rest."""
    held = state.holdings[state.defunct][state.decision.seat]
    prices = state.rules.prices
    price = prices[state.defunct][state.size[state.defunct]]
    price_after = prices[state.survivor][effect(state, state.tile).size]
    pairs = min(held // 2, state.bank[state.survivor]) if price_after >= 2 * price else 0
    words = [f"{verb} {count}" for verb, count in (("sell", held - 2 * pairs), ("trade", 2 * pairs)) if count]
    return parse_move(f"dispose {' '.join(words)}")
