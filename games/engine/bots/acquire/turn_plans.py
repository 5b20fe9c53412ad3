"""Plans of whole turns: a tile, the chain it founds and the purchase.

For each tile the purchases that look best are planned with it, so a tile is judged by the turn that it makes
possible.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.candidate_moves import candidates
from games.engine.bots.acquire.lookahead import advantage_after
from games.engine.bots.acquire.rollout_policy import move as policy_move
from games.engine.bots.acquire.valuation import Valuation
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
