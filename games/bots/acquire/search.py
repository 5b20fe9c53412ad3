"""Players who try their moves: each is played on, many times, and those that do best are tried again.

Sequential halving shares out the tries: in every round each move that is left is tried equally often, on
the same deals of what the seat cannot know and with the same chance, and the better half stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.rules.acquire import Move, Observation, apply, determinize

from ..estimates import Estimate
from ..limits import OutOfTime, never
from . import judging
from .candidates import candidates
from .payments import payments_for
from .semigreedy import Ending, at_once, roll_out, when_first


@dataclass(frozen=True, slots=True)
class Search:
    """How a player searches.

    tries       how many a decision has, over all moves
    judge       how good the position is at the end of a try
    turns       how many turns a try plays on, but at least one of each seat
    purchases   how many of them are tried
    ending      when the end is declared in a try
    """

    tries: int
    judge: judging.Judge
    turns: int
    purchases: int = 25
    ending: Ending = when_first

    def choose(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = never
    ) -> Move:
        """The best move that it finds."""
        if len(legal) == 1:
            return legal[0]
        best: Move = self.advise(seen, legal, rng, out_of_time)[0].move
        return best

    def advise(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = never
    ) -> list[Estimate]:
        """What it thinks of the moves that are worth trying, the best first."""
        return self.weigh(seen, candidates(seen, legal, self.purchases, rng), rng, out_of_time)

    def weigh(
        self, seen: Observation, moves: Sequence[Move], rng: Random, out_of_time: OutOfTime = never
    ) -> list[Estimate]:
        """What it thinks of these moves, the best first.

        Each is tried at least once, whatever the time, and also when there are more of them than tries:
        of what was never tried there is nothing to say. Beyond that the tries are kept to.
        """
        seat = seen.decision.seat
        payments = payments_for(seen.rules, seen.seats)
        trials = [_Trial(move) for move in moves]
        left = trials
        rounds = max(1, (len(moves) - 1).bit_length())
        dice = Random()
        turns = max(self.turns, seen.seats)
        spent = 0
        while True:
            for _ in range(max(1, self.tries // rounds // len(left))):
                if spent and (spent + len(left) > self.tries or out_of_time()):
                    break
                spent += len(left)
                deal = determinize(seen, rng)
                throw = rng.getrandbits(32)
                for trial in left:
                    state = deal.copy()
                    apply(state, trial.move)
                    dice.seed(throw)
                    roll_out(state, turns, dice.random, payments, self.ending)
                    trial.note(*self.judge(state, seat, payments))
            left.sort(key=_Trial.rank)
            if len(left) <= 2:
                break
            left = left[: (len(left) + 1) // 2]
        trials.sort(key=_Trial.rank)
        return [trial.estimate() for trial in trials]


class _Trial:
    """A move and what came of trying it."""

    __slots__ = ("chance", "money", "move", "tries", "value")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.tries = 0
        self.value = 0.0
        self.chance = 0.0
        self.money = 0.0

    def note(self, value: float, chance: float, money: float) -> None:
        self.tries += 1
        self.value += value
        self.chance += chance
        self.money += money

    def rank(self) -> tuple[int, float]:
        """The more often tried is the better: what was left aside looked worse."""
        return -self.tries, -self.value / self.tries

    def estimate(self) -> Estimate:
        return Estimate(self.move, self.chance / self.tries, self.money / self.tries, self.tries)


# The first design, kept as it was: what is new must beat it.
PLAIN_300: Final = Search(tries=300, judge=judging.plain, turns=16, ending=at_once)
# Half as many turns cost half the time and hardly any strength.
HARD: Final = Search(tries=100, judge=judging.plain, turns=8)
EXPERT: Final = Search(tries=400, judge=judging.learned, turns=4)
MASTER: Final = Search(tries=3000, judge=judging.learned, turns=4)
