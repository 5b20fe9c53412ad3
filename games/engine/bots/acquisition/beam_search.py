"""Beam search: a bot that looks some rounds ahead.

Nothing in the game is hidden or random, so a move can be followed: for some rounds every seat answers
with the move that looks best one move ahead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.engine.bots.acquisition.evaluation import PositionValue
from games.engine.bots.acquisition.lookahead import after, best_after, chances
from games.engine.bots.move_estimate import Estimate, Rating, shares_of_win
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquisition.buildings import worth
from games.engine.rules.acquisition.moves import Move
from games.engine.rules.acquisition.observation import Observation, sample_state
from games.engine.rules.acquisition.state import State


@dataclass(frozen=True, slots=True)
class BeamSearch:
    """Settings of a search: it follows the `width` best moves for `rounds` turns of every seat."""

    width: int
    rounds: int

    def choose(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> Move:
        """The best move found; parks belong to nobody and are placed at random."""
        if seen.parks or len(legal) == 1:
            return rng.choice(legal)
        best: Move = self.advise(seen, legal, rng, out_of_time)[0].move
        return best

    def advise(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> list[Estimate]:
        """Estimates of the legal moves, the best first: those that were followed, then the others.

        When the time is up, moves not yet followed keep their estimate from one move ahead.
        """
        state = sample_state(seen, rng)
        moves = rng.sample(legal, len(legal))
        if seen.parks:
            return [Estimate(move, 1 / seen.seats, 0, 1) for move in moves]
        ranked = sorted(zip(moves, chances(state, moves), strict=True), key=lambda pair: -pair[1])
        followed = self._follow_moves(state, [move for move, _ in ranked[: self.width]], out_of_time)
        now = _lead(state, seen.decision.seat)
        return followed + [Estimate(move, chance, now, 1) for move, chance in ranked[len(followed) :]]

    def rate(
        self,
        seen: Observation,
        legal: Sequence[Move],
        played: Move,
        rng: Random,
        out_of_time: OutOfTime = no_time_limit,
    ) -> Rating | None:
        """Rate a move that was played against the best move found, following both.

        None for parks, and if the time is up before the played move was followed.
        """
        if seen.parks:
            return None
        state = sample_state(seen, rng)
        ranked = sorted(zip(legal, chances(state, legal), strict=True), key=lambda pair: -pair[1])
        others = [move for move, _ in ranked[: self.width] if move != played]
        found = self._follow_moves(state, [played, *others], out_of_time)
        own = next((estimate for estimate in found if estimate.move == played), None)
        if own is None:
            return None
        best = max(found, key=lambda e: (e.chance, e is own))
        others_found = tuple(one for one in found if one is not best and one is not own)
        return Rating(best, own, self._seat_chances(state, own), others_found)

    def _seat_chances(self, state: State, played: Estimate) -> tuple[float, ...]:
        """Each seat's share of the win after following the move played."""
        end = _follow(state, played.move, self.rounds, no_time_limit)
        assert end is not None
        value = PositionValue(end)
        return shares_of_win(
            [value.chance(seat) for seat in range(state.seats)], state.decision.seat, played.chance
        )

    def _follow_moves(self, state: State, moves: Sequence[Move], out_of_time: OutOfTime) -> list[Estimate]:
        """Estimates of these moves after following them, the best first; fewer if the time runs out."""
        seat = state.decision.seat
        followed = []
        for move in moves:
            end = _follow(state, move, self.rounds, out_of_time)
            if end is None:
                break
            followed.append(Estimate(move, PositionValue(end).chance(seat), _lead(end, seat), 2))
        followed.sort(key=lambda estimate: -estimate.chance)
        return followed


def _follow(state: State, move: Move, rounds: int, out_of_time: OutOfTime) -> State | None:
    """The state `rounds` turns of every seat after the move, or at the end; None if the time is up."""
    turns = rounds * state.seats
    state = after(state, move)
    for _ in range(turns):
        if out_of_time():
            return None
        if state.ended:
            break
        state = best_after(state)
    return state


def _lead(state: State, seat: int) -> float:
    """The lead in large buildings over the best other seat."""
    others = worth(state)
    own = others.pop(seat)
    return own - max(others)


HARD: Final = BeamSearch(width=12, rounds=6)
# A review rates every decision of a game, so it looks less far ahead.
REVIEWER: Final = BeamSearch(width=12, rounds=3)
