"""Search over whole turns, judged by the learned valuation.

A plan is a tile, the chain it founds and the purchase. For each tile the purchases that look best are tried
together with it, so a tile is judged by the turn that it makes possible. Each try plays a plan in a deal of
the unseen tiles and goes on until the seat's next turn; the valuation then judges all positions of a round at
once. The tries are shared out by sequential halving.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments, payments_for
from games.engine.bots.acquire.candidate_moves import candidates
from games.engine.bots.acquire.lookahead import advantage_after
from games.engine.bots.acquire.rollout_policy import move as policy_move
from games.engine.bots.acquire.rollout_policy import roll_out
from games.engine.bots.acquire.valuation import Valuation, valuation
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.state import State

# Answers of the seat in one turn, in order; the first one is what is asked now.
Plan = tuple[Move, ...]

# For each tile and founding: purchases taken by the greedy count, and how many of them the valuation keeps.
GREEDY_PURCHASES: Final = 16
PLANNED_PURCHASES: Final = 4
# Purchases that are tried when the purchase itself is asked.
PURCHASES: Final = 12
# With many chains to found, each gets fewer purchases, but at least this many.
FEWEST_PURCHASES: Final = 4
# For this many of the best purchases, ending the game with them is tried as well.
ENDINGS: Final = 2
MAX_PLANS: Final = 40
# Decisions that come before the purchase of the same turn and are not planned.
UNPLANNED: Final = ("dispose", "survivor", "next")


@cache
def judge_in_use() -> Valuation:
    """The valuation with the weights of this version, loaded once."""
    return valuation()


@dataclass(frozen=True, slots=True)
class PlanSearch:
    """Settings of a search: the number of tries for a decision, and a function that returns the judge."""

    tries: int
    judge: Callable[[], Valuation] = judge_in_use

    def choose(
        self, seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
    ) -> Move:
        """The first move of the best plan found."""
        if len(legal) == 1:
            return legal[0]
        judge, payments = self.judge(), payments_for(seen.rules, seen.seats)
        trials = [_PlanTrial(plan) for plan in plans(seen, legal, judge, payments, rng)]
        rounds = max(1, (len(trials) - 1).bit_length())
        left = trials
        spent = 0
        while len(left) > 1:
            states: list[State] = []
            for _ in range(max(1, self.tries // rounds // len(left))):
                if spent and (spent + len(left) > self.tries or out_of_time()):
                    break
                spent += len(left)
                states += _played_on(left, seen, payments, rng)
            for index, (value, _, _) in enumerate(judge.judge(states, seen.decision.seat, payments)):
                left[index % len(left)].note(value)
            left.sort(key=_PlanTrial.rank)
            if len(left) <= 2:
                break
            left = left[: (len(left) + 1) // 2]
        return left[0].plan[0]


class _PlanTrial:
    """A plan and the sum of the values of its tries."""

    __slots__ = ("plan", "tries", "value")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tries = 0
        self.value = 0.0

    def note(self, value: float) -> None:
        self.tries += 1
        self.value += value

    def rank(self) -> float:
        """Sort key, the best first; all plans of a round have the same number of tries."""
        return -self.value / max(1, self.tries)


def _played_on(
    trials: Sequence[_PlanTrial], seen: Observation, payments: Payments, rng: Random
) -> list[State]:
    """The positions at the seat's next turn after each plan, in one deal and with the same random numbers."""
    seat = seen.decision.seat
    deal = sample_state(seen, rng)
    seed = rng.getrandbits(32)
    chance = Random()
    found = []
    for trial in trials:
        state = deal.copy()
        chance.seed(seed)
        follow(state, trial.plan, payments, chance)
        if not state.ended:
            turns = (seat - state.turn) % state.seats or state.seats
            roll_out(state, turns, chance.random, payments)
        found.append(state)
    return found


def follow(state: State, plan: Plan, payments: Payments, rng: Random) -> None:
    """Play the plan as far as it is possible; what it does not say is decided by the rollout policy."""
    turn = state.turn
    for place, move in enumerate(plan):
        if place:
            _settle(state, payments, rng)
            if state.turn != turn or state.decision.kind != move.kind:
                return
            if isinstance(move, Buy) and _cost(state, move) > state.cash[turn]:
                return
        apply(state, move)


def plans(
    seen: Observation, legal: Sequence[Move], judge: Valuation, payments: Payments, rng: Random
) -> list[Plan]:
    """The plans worth trying: whole turns for a tile, a founding or a purchase, else the candidate moves."""
    kind = seen.decision.kind
    if kind not in ("place", "found", "buy"):
        return [(move,) for move in candidates(seen, legal, PURCHASES, rng)]
    state = sample_state(seen, rng)
    begun = [((), state)] if kind == "buy" else _beginnings(state, legal, payments, rng)
    kept = PURCHASES if kind == "buy" else PLANNED_PURCHASES
    foundings = Counter(plan[0] for plan, _ in begun if len(plan) > 1)
    best: list[tuple[float, Plan]] = []
    others: list[tuple[float, Plan]] = []
    for plan, before in begun:
        if before.decision.kind != "buy":
            best.append((1.0, plan))
            continue
        most = max(FEWEST_PURCHASES, GREEDY_PURCHASES // max(1, foundings[plan[0]] if plan else 1))
        judged = _judged_purchases(before, most, judge, payments)[:kept]
        full = [(value, (*plan, purchase)) for value, purchase in judged]
        # Each tile keeps its best plan.
        best.append(full[0])
        others += full[1:]
    others.sort(key=_by_value)
    return [plan for _, plan in sorted([*best, *others[: max(0, MAX_PLANS - len(best))]], key=_by_value)]


def _by_value(judged: tuple[float, Plan]) -> float:
    return -judged[0]


def _beginnings(
    state: State, legal: Sequence[Move], payments: Payments, rng: Random
) -> list[tuple[Plan, State]]:
    """Each tile, with each chain that it can found, and the position in which the purchase follows."""
    found: list[tuple[Plan, State]] = []
    for move in legal:
        after = state.copy()
        apply(after, move)
        _settle(after, payments, rng)
        if after.decision.kind != "found":
            found.append(((move,), after))
            continue
        for founding in legal_moves(after):
            founded = after.copy()
            apply(founded, founding)
            found.append(((move, founding), founded))
    return found


def _judged_purchases(
    state: State, most: int, judge: Valuation, payments: Payments
) -> list[tuple[float, Move]]:
    """The purchases that are best by the greedy count, judged by the valuation, the best first."""
    seat = state.turn
    legal = [move for move in legal_moves(state) if isinstance(move, Buy)]
    going_on = sorted(
        [move for move in legal if not move.end],
        key=lambda move: -advantage_after(state, move, seat, payments),
    )[:most]
    ending = {move.shares: move for move in legal if move.end}
    purchases = [*going_on, *(ending[move.shares] for move in going_on[:ENDINGS] if ending)]
    positions = []
    for purchase in purchases:
        after = state.copy()
        apply(after, purchase)
        positions.append(after)
    values = [value for value, _, _ in judge.judge(positions, seat, payments)]
    order = sorted(range(len(purchases)), key=lambda index: -values[index])
    return [(values[index], purchases[index]) for index in order]


def _settle(state: State, payments: Payments, rng: Random) -> None:
    """Answer what a merger asks before the purchase, by the rollout policy."""
    while state.decision.kind in UNPLANNED:
        apply(state, policy_move(state, rng.random, payments, 0.0))


def _cost(state: State, purchase: Buy) -> int:
    prices, size = state.rules.prices, state.size
    return sum([prices[chain][size[chain]] for chain in purchase.shares])
