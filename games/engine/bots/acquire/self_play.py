"""Games of bots among themselves, from which the valuation learns.

A game follows from its seed and its number alone: rules, seats, deal and all random numbers of the
bots. So it is stored as its moves, and what is learned from it can be computed again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final, TypeAlias

from games.engine.bots.arena.worker_processes import in_order, in_processes
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.deal import deal
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Move, parse_move
from games.engine.rules.acquire.observation import Observation, observe
from games.engine.rules.acquire.rule_options import PRESETS
from games.engine.rules.acquire.state import State, decider

Choose: TypeAlias = Callable[[Observation, Sequence[Move], Random], Move]

# Half of the games are at tables of four, and most have the rules of the book. The lengths have no common
# divisor, so every number of seats meets every set of rules.
SEATS_IN_TURN: Final = (4, 3, 4, 5, 4, 2, 4, 6)
PRESETS_IN_TURN: Final = (
    "avalon-hill",
    "avalon-hill",
    "classic",
    "avalon-hill",
    "quick-reference",
    "avalon-hill",
    "course",
)


@dataclass(frozen=True)
class PlayedGame:
    """The moves of a finished game, in their notation, and what its deal follows from."""

    seed: int
    number: int
    moves: tuple[str, ...]

    @property
    def seats(self) -> int:
        return SEATS_IN_TURN[self.number % len(SEATS_IN_TURN)]

    @property
    def preset(self) -> str:
        return PRESETS_IN_TURN[self.number % len(PRESETS_IN_TURN)]

    def dealt(self) -> State:
        """The state before the first move."""
        return deal(PRESETS[self.preset], self.seats, _secret(self.seed, self.number))

    def positions(self) -> Iterator[State]:
        """The position at the beginning of each turn, and the final one.

        It is the same state each time, which the next step changes.
        """
        state = self.dealt()
        yield state
        turn = state.turn
        for text in self.moves:
            apply(state, parse_move(text))
            if state.ended or state.turn != turn:
                turn = state.turn
                yield state


def play_game(seed: int, number: int, choose: Choose) -> PlayedGame:
    """Play the game of this number, with the same bot in all seats."""
    state = PlayedGame(seed, number, ()).dealt()
    rng = Random(_secret(seed, number, "bots"))
    moves = []
    while (seat := decider(state)) is not None:
        move = choose(observe(state, seat, memory=True), legal_moves(state), rng)
        moves.append(move.text)
        apply(state, move)
    return PlayedGame(seed, number, tuple(moves))


def play_games(
    play: Callable[[int], PlayedGame], numbers: Sequence[int], processes: int
) -> Iterator[PlayedGame]:
    """Play the games of these numbers, several at once; yield them in this order.

    Other processes get `play` pickled. Raises WorkerLost if one was killed.
    """
    yield from in_order(in_processes(play, numbers, processes), numbers)


def _secret(*words: object) -> bytes:
    return sha256(" ".join(map(str, words)).encode()).digest()
