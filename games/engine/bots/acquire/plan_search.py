"""Search over whole turns, judged by the learned valuation.

Each try plays a plan in a deal of the unseen tiles and goes on until the seat's next turn; the valuation then
judges all positions of a round at once. The tries are shared out by sequential halving.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments, payments_for
from games.engine.bots.acquire.evaluation import Evaluation
from games.engine.bots.acquire.foresight import play_on
from games.engine.bots.acquire.rollout_policy import roll_out
from games.engine.bots.acquire.turn_plans import Plan, follow, plans
from games.engine.bots.acquire.valuation import Valuation, valuation
from games.engine.bots.move_estimate import Estimate, Rating, is_clear, shares_of_win
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.teams import teams

# A rating tries its plans at least this often, even if the time is up.
MIN_TRIES: Final = 10
# Tries for the chances of the seats that did not decide.
SEAT_TRIES: Final = 60
# Deals that are judged together where two plans are compared.
DEALS_AT_ONCE: Final = 20


@cache
def judge_in_use() -> Valuation:
    """The valuation with the weights of this version, loaded once."""
    return valuation()


@dataclass(frozen=True, slots=True)
class PlanSearch:
    """Settings of a search: the number of tries for a decision, and a function that returns the judge.

    In one deal out of `foresight_every` the other seats buy what the judge ranks first for them: 1 stands for
    all deals, 0 for none.
    """

    tries: int
    judge: Callable[[], Valuation] = judge_in_use
    foresight_every: int = 0

    def choose(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> Move:
        """The first move of the best plan found."""
        if len(legal) == 1:
            return legal[0]
        return self._weigh(seen, self._plans(seen, legal, rng), rng, out_of_time)[0].plan[0]

    def advise(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> list[Estimate]:
        """Estimates of the moves that were considered, each by its best plan, the best first."""
        found = self._weigh(seen, self._plans(seen, legal, rng), rng, out_of_time)
        return [trial.estimate() for trial in _best_by_move(found)]

    def rate(
        self,
        seen: Observation,
        legal: Sequence[Move],
        played: Move,
        rng: Random,
        out_of_time: OutOfTime = no_time_limit,
    ) -> Rating:
        """Rate a move that was played against the best move found, each by its best plan.

        As the best of many plans has been lucky, the two are compared once more: equally often, with the
        same new deals and random numbers. A difference below its standard error counts as none.
        """
        wanted = self._plans(seen, legal, rng)
        if all(plan[0] != played for plan in wanted):
            wanted.append((played,))
        found = _best_by_move(self._weigh(seen, wanted, rng, out_of_time))
        best, own = found[0], next(trial for trial in found if trial.plan[0] == played)
        if best is not own:
            best, own = self._compare(seen, best.plan, own.plan, rng, out_of_time)
        rated = best.plan[0], played
        others = tuple(trial.estimate() for trial in found if trial.plan[0] not in rated)
        chances = self._seat_chances(seen, own, rng, out_of_time)
        return Rating(best.estimate(), own.estimate(), chances, others)

    def _plans(self, seen: Observation, legal: Sequence[Move], rng: Random) -> list[Plan]:
        return plans(seen, legal, self.judge(), payments_for(seen.rules, seen.seats), rng)

    def _weigh(
        self, seen: Observation, wanted: Sequence[Plan], rng: Random, out_of_time: OutOfTime
    ) -> list["_PlanTrial"]:
        """The plans with their tries, the best first.

        Each plan is tried at least once, even if the time is up, as there is no estimate without a try.
        """
        trials = [_PlanTrial(plan) for plan in wanted]
        rounds = max(1, (len(trials) - 1).bit_length())
        payments = payments_for(seen.rules, seen.seats)
        left = trials
        spent = 0
        numbers = count(1)
        while True:
            states: list[State] = []
            for _ in range(max(1, self.tries // rounds // len(left))):
                if spent and (spent + len(left) > self.tries or out_of_time()):
                    break
                spent += len(left)
                states += self._played_on([trial.plan for trial in left], seen, payments, rng, next(numbers))
            for index, judged in enumerate(self.judge().judge(states, seen.decision.seat, payments)):
                left[index % len(left)].note(judged)
            left.sort(key=_PlanTrial.rank)
            if len(left) <= 2:
                break
            left = left[: (len(left) + 1) // 2]
        trials.sort(key=_PlanTrial.rank)
        return trials

    def _compare(
        self, seen: Observation, first: Plan, played: Plan, rng: Random, out_of_time: OutOfTime
    ) -> tuple["_PlanTrial", "_PlanTrial"]:
        """The tries of the better plan and of the played one, which are the same if neither is better."""
        best, own = _PlanTrial(first), _PlanTrial(played)
        payments = payments_for(seen.rules, seen.seats)
        differences: list[float] = []
        numbers = count(1)
        while len(differences) < MIN_TRIES or (len(differences) * 2 < self.tries and not out_of_time()):
            states: list[State] = []
            for _ in range(DEALS_AT_ONCE):
                number = next(numbers)
                if number > MIN_TRIES and out_of_time():
                    break
                states += self._played_on([first, played], seen, payments, rng, number)
            judged = self.judge().judge(states, seen.decision.seat, payments)
            for one, other in zip(judged[::2], judged[1::2], strict=True):
                best.note(one)
                own.note(other)
                differences.append(one[0] - other[0])
        return (best, own) if is_clear(differences) else (own, own)

    def _seat_chances(
        self, seen: Observation, played: "_PlanTrial", rng: Random, out_of_time: OutOfTime
    ) -> tuple[float, ...]:
        """Each seat's share of the win with the plan played, in keeping with its estimate."""
        payments = payments_for(seen.rules, seen.seats)
        states: list[State] = []
        for number in range(1, SEAT_TRIES + 1):
            if number > MIN_TRIES and out_of_time():
                break
            states += self._played_on([played.plan], seen, payments, rng, number)
        chances = [by_seat for by_seat, _ in self.judge().outlooks(states, payments)]
        sums = [sum(of_seat) for of_seat in zip(*chances, strict=True)]
        return shares_of_win(
            sums, seen.decision.seat, played.estimate().chance, teams(seen.rules, seen.seats)
        )

    def _played_on(
        self, wanted: Sequence[Plan], seen: Observation, payments: Payments, rng: Random, number: int
    ) -> list[State]:
        """The positions at the seat's next turn after each plan, with the same deal and random numbers.

        `number` counts the deals from 1; it decides which have foresight.
        """
        seat = seen.decision.seat
        deal = sample_state(seen, rng)
        seed = rng.getrandbits(32)
        states = [deal.copy() for _ in wanted]
        chances = [Random(seed) for _ in wanted]
        for state, plan, chance in zip(states, wanted, chances, strict=True):
            follow(state, plan, payments, chance)
        if self.foresight_every and number % self.foresight_every == 0:
            play_on(states, chances, seat, self.judge(), payments)
            return states
        for state, chance in zip(states, chances, strict=True):
            if not state.ended:
                turns = (seat - state.turn) % state.seats or state.seats
                roll_out(state, turns, chance.random, payments)
        return states


class _PlanTrial:
    """A plan and the sums of its tries."""

    __slots__ = ("chance", "lead", "plan", "tries", "value")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tries = 0
        self.value = 0.0
        self.chance = 0.0
        self.lead = 0.0

    def note(self, judged: Evaluation) -> None:
        value, chance, lead = judged
        self.tries += 1
        self.value += value
        self.chance += chance
        self.lead += lead

    def rank(self) -> tuple[int, float]:
        """Sort key: more tries first, as plans with fewer tries were dropped for looking worse."""
        return -self.tries, -self.value / self.tries

    def estimate(self) -> Estimate:
        return Estimate(self.plan[0], self.chance / self.tries, self.lead / self.tries, self.tries)


def _best_by_move(trials: Sequence[_PlanTrial]) -> list[_PlanTrial]:
    """Of plans in order, the first one that begins with each move."""
    found: dict[Move, _PlanTrial] = {}
    for trial in trials:
        found.setdefault(trial.plan[0], trial)
    return list(found.values())


EXPERT: Final = PlanSearch(tries=500)
# Foresight in all deals has not proved better, and takes longer.
MASTER: Final = PlanSearch(tries=600, foresight_every=2)
# A puzzle's estimates must agree every time; more tries help with that more than foresight does.
PUZZLE_JUDGE: Final = PlanSearch(tries=3000)
# A review rates every decision of a game, so it has less time for each.
REVIEWER: Final = PlanSearch(tries=110)
