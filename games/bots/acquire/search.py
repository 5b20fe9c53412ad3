"""Players who try their moves: each is played on, many times, and those that do best are tried again.

Sequential halving shares out the tries: in every round each move that is left is tried equally often, on
the same deals of what the seat cannot know and with the same chance, and the better half stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from games.rules.acquire import Move, Observation, apply, determinize

from ..estimates import Estimate, Rating
from ..limits import OutOfTime, never
from . import judging
from .candidates import candidates
from .payments import Payments, payments_for
from .semigreedy import Ending, at_once, roll_out, when_first

# Two moves are compared so often at least, whatever the time.
FEWEST: Final = 10


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
        trials = [_Trial(move) for move in moves]
        left = trials
        rounds = max(1, (len(moves) - 1).bit_length())
        try_all = self._trying(seen, rng)
        spent = 0
        while True:
            for _ in range(max(1, self.tries // rounds // len(left))):
                if spent and (spent + len(left) > self.tries or out_of_time()):
                    break
                spent += len(left)
                try_all(left)
            left.sort(key=_Trial.rank)
            if len(left) <= 2:
                break
            left = left[: (len(left) + 1) // 2]
        trials.sort(key=_Trial.rank)
        return [trial.estimate() for trial in trials]

    def rate(
        self,
        seen: Observation,
        legal: Sequence[Move],
        played: Move,
        rng: Random,
        out_of_time: OutOfTime = never,
    ) -> Rating:
        """What it thinks of a move that was played, beside the best that it finds.

        The best is looked for as ever, with the played one among those that are tried. Whatever comes out
        best of many had some luck in it, so the two are tried once more against each other: equally often,
        on the same new deals and with the same chance. What differs by less than the error to be
        expected of these tries counts as equally good.
        """
        moves = candidates(seen, legal, self.purchases, rng)
        found = self.weigh(seen, moves if played in moves else [*moves, played], rng, out_of_time)
        if found[0].move == played:
            return Rating(found[0], found[0])
        best, own = _Trial(found[0].move), _Trial(played)
        try_all = self._trying(seen, rng)
        differences: list[float] = []
        while len(differences) < FEWEST or (len(differences) * 2 < self.tries and not out_of_time()):
            before = best.value - own.value
            try_all([best, own])
            differences.append(best.value - own.value - before)
        if fmean(differences) <= stdev(differences) / sqrt(len(differences)):
            best = own
        was_played = own.estimate()
        return Rating(was_played if best is own else best.estimate(), was_played)

    def _trying(self, seen: Observation, rng: Random) -> "Callable[[Sequence[_Trial]], None]":
        """What tries some moves once each, all on the same deal and with the same chance."""
        seat, turns = seen.decision.seat, max(self.turns, seen.seats)
        payments: Payments = payments_for(seen.rules, seen.seats)
        dice = Random()

        def try_all(trials: Sequence[_Trial]) -> None:
            deal = determinize(seen, rng)
            throw = rng.getrandbits(32)
            for trial in trials:
                state = deal.copy()
                apply(state, trial.move)
                dice.seed(throw)
                roll_out(state, turns, dice.random, payments, self.ending)
                trial.note(*self.judge(state, seat, payments))

        return try_all


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
