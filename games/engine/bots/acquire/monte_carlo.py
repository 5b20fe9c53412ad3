"""Monte Carlo search: each move is played out many times, and the best ones are tried again.

The tries are shared out by sequential halving: in every round each remaining move is tried equally
often, with the same deals of hidden tiles and the same random numbers, and the better half remains.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.engine.bots.acquire import evaluation
from games.engine.bots.acquire.bonus_cache import Payments, payments_for
from games.engine.bots.acquire.candidate_moves import candidates
from games.engine.bots.acquire.rollout_policy import Ending, end_at_once, end_when_leading, roll_out
from games.engine.bots.move_estimate import Estimate, Rating, is_clear, shares_of_win
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.teams import teams

# Two moves are compared at least this often, even if the time is up.
MIN_TRIES: Final = 10
# Tries for the chances of the seats that did not decide.
SEAT_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class MonteCarloSearch:
    """Settings of a search.

    tries       number of tries for a decision, over all moves
    judge       evaluates the position at the end of a try
    turns       number of turns that a try plays on; at least one for each seat
    purchases   maximum number of purchases to try
    ending      decides when the end is declared in a try
    """

    tries: int
    judge: evaluation.Evaluator
    turns: int
    purchases: int = 25
    ending: Ending = end_when_leading

    def choose(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> Move:
        """The best move found."""
        if len(legal) == 1:
            return legal[0]
        best: Move = self.advise(seen, legal, rng, out_of_time)[0].move
        return best

    def advise(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> list[Estimate]:
        """Estimates of the candidate moves, the best first."""
        return self.weigh(seen, candidates(seen, legal, self.purchases, rng), rng, out_of_time)

    def weigh(
        self, seen: Observation, moves: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> list[Estimate]:
        """Estimates of these moves, the best first.

        Each move is tried at least once, even if the time is up or there are more moves than tries,
        as there is no estimate without a try. Apart from that the number of tries is kept.
        """
        trials = [_CandidateTrial(move) for move in moves]
        left = trials
        rounds = max(1, (len(moves) - 1).bit_length())
        try_all = self._trial_runner(seen, rng)
        spent = 0
        while True:
            for _ in range(max(1, self.tries // rounds // len(left))):
                if spent and (spent + len(left) > self.tries or out_of_time()):
                    break
                spent += len(left)
                try_all(left)
            left.sort(key=_CandidateTrial.rank)
            if len(left) <= 2:
                break
            left = left[: (len(left) + 1) // 2]
        trials.sort(key=_CandidateTrial.rank)
        return [trial.estimate() for trial in trials]

    def rate(
        self,
        seen: Observation,
        legal: Sequence[Move],
        played: Move,
        rng: Random,
        out_of_time: OutOfTime = no_time_limit,
    ) -> Rating:
        """Rate a move that was played against the best move found.

        The best move is searched as usual, with the played one among the candidates. As the best of
        many has been lucky, the two are then compared once more: equally often, with the same new
        deals and random numbers. A difference below its standard error counts as none.
        """
        moves = candidates(seen, legal, self.purchases, rng)
        found = self.weigh(seen, moves if played in moves else [*moves, played], rng, out_of_time)
        best, own = self._compare(seen, found[0], played, rng, out_of_time)
        others = tuple(one for one in found if one.move not in (best.move, played))
        return Rating(best, own, self._seat_chances(seen, own, rng, out_of_time), others)

    def _compare(
        self, seen: Observation, first: Estimate, played: Move, rng: Random, out_of_time: OutOfTime
    ) -> tuple[Estimate, Estimate]:
        """Estimates of the better move and of the played one, which are the same if neither is better."""
        if first.move == played:
            return first, first
        best, own = _CandidateTrial(first.move), _CandidateTrial(played)
        try_all = self._trial_runner(seen, rng)
        differences: list[float] = []
        while len(differences) < MIN_TRIES or (len(differences) * 2 < self.tries and not out_of_time()):
            before = best.value - own.value
            try_all([best, own])
            differences.append(best.value - own.value - before)
        if not is_clear(differences):
            best = own
        was_played = own.estimate()
        return was_played if best is own else best.estimate(), was_played

    def _seat_chances(
        self, seen: Observation, played: Estimate, rng: Random, out_of_time: OutOfTime
    ) -> tuple[float, ...]:
        """Each seat's share of the win with the move played, in keeping with its estimate.

        In a team game it is that of its team, which the judge gives for each of its seats.
        """
        payments: Payments = payments_for(seen.rules, seen.seats)
        sums = [0.0] * seen.seats
        rollout_rng = Random()
        for tries in range(SEAT_TRIES):
            if tries >= MIN_TRIES and out_of_time():
                break
            state = sample_state(seen, rng)
            apply(state, played.move)
            rollout_rng.seed(rng.getrandbits(32))
            roll_out(state, max(self.turns, seen.seats), rollout_rng.random, payments, self.ending)
            for seat in range(seen.seats):
                sums[seat] += self.judge(state, seat, payments)[1]
        return shares_of_win(sums, seen.decision.seat, played.chance, teams(seen.rules, seen.seats))

    def _trial_runner(self, seen: Observation, rng: Random) -> "Callable[[Sequence[_CandidateTrial]], None]":
        """Return a function that tries moves once each, all with the same deal and random numbers."""
        seat, turns = seen.decision.seat, max(self.turns, seen.seats)
        payments: Payments = payments_for(seen.rules, seen.seats)
        rollout_rng = Random()

        def try_all(trials: Sequence[_CandidateTrial]) -> None:
            deal = sample_state(seen, rng)
            rollout_seed = rng.getrandbits(32)
            for trial in trials:
                state = deal.copy()
                apply(state, trial.move)
                rollout_rng.seed(rollout_seed)
                roll_out(state, turns, rollout_rng.random, payments, self.ending)
                trial.note(*self.judge(state, seat, payments))

        return try_all


class _CandidateTrial:
    """A move and the sums of its tries."""

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
        """Sort key: more tries first, as moves with fewer tries were dropped for looking worse."""
        return -self.tries, -self.value / self.tries

    def estimate(self) -> Estimate:
        return Estimate(self.move, self.chance / self.tries, self.money / self.tries, self.tries)


# Earlier designs, kept unchanged as yardsticks that later levels must beat.
PLAIN_300: Final = MonteCarloSearch(
    tries=300, judge=evaluation.worth_evaluation, turns=16, ending=end_at_once
)
EXPERT_1: Final = MonteCarloSearch(tries=400, judge=evaluation.linear_evaluation, turns=4)
MASTER_1: Final = MonteCarloSearch(tries=3000, judge=evaluation.linear_evaluation, turns=4)
# Half as many turns halve the time and hardly cost any strength.
HARD: Final = MonteCarloSearch(tries=100, judge=evaluation.worth_evaluation, turns=8)
