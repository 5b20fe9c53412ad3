"""Plans of whole turns: a tile, the chain it founds and the purchase.

For each tile the purchases that look best are planned with it, so a tile is judged by the turn that it makes
possible.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.candidate_moves import candidates
from games.engine.bots.acquire.rollout_policy import move as policy_move
from games.engine.bots.acquire.valuation import Valuation
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.state import State

# Answers of the seat in one turn, in order; the first one is what is asked now.
Plan = tuple[Move, ...]

# Purchases kept for each tile and founding, and those that are tried when the decision is a purchase.
PLANNED_PURCHASES: Final = 4
TRIED_PURCHASES: Final = 8
# Of the purchases of each size, only this many, the best ones, get another share.
GROWING_OF_A_SIZE: Final = 4
# This many endings are tried as well, those with the best result.
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
        return [(move,) for move in candidates(seen, legal, TRIED_PURCHASES, rng)]
    state = sample_state(seen, rng)
    begun = [((), state)] if kind == "buy" else _beginnings(state, legal, payments, rng)
    kept = TRIED_PURCHASES if kind == "buy" else PLANNED_PURCHASES
    best: list[tuple[float, Plan]] = []
    others: list[tuple[float, Plan]] = []
    for plan, before in begun:
        judged = _judged_purchases(before, kept, judge, payments)
        full = [(value, (*plan, purchase)) for value, purchase in judged]
        # Each tile keeps its best plan.
        best.append(full[0])
        others += full[1:]
    others.sort(key=_best_first)
    return [plan for _, plan in sorted([*best, *others[: max(0, MAX_PLANS - len(best))]], key=_best_first)]


def _best_first(judged: tuple[float, object]) -> float:
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
    state: State, kept: int, judge: Valuation, payments: Payments
) -> list[tuple[float, Buy]]:
    """The best `kept` purchases and the best endings with their values, the best first.

    There can be 120 purchases, so they are built share by share from the best of each size. All endings are
    judged, as their results are exact.
    """
    legal = [move for move in legal_moves(state) if isinstance(move, Buy)]
    going_on = {move.shares: move for move in legal if not move.end}
    values: dict[tuple[int, ...], float] = {}
    grown: list[tuple[int, ...]] = [()]
    while grown:
        found = _values(state, [going_on[shares] for shares in grown], judge, payments)
        values |= dict(zip(grown, found, strict=True))
        best = sorted(grown, key=lambda shares: -values[shares])[:GROWING_OF_A_SIZE]
        larger = {tuple(sorted((*shares, chain))) for shares in best for chain in CHAINS}
        grown = sorted(larger & going_on.keys())
    judged = sorted([(value, going_on[shares]) for shares, value in values.items()], key=_best_first)
    endings = [move for move in legal if move.end]
    ended = sorted(zip(_values(state, endings, judge, payments), endings, strict=True), key=_best_first)
    return sorted([*judged[:kept], *ended[:ENDINGS]], key=_best_first)


def _values(state: State, purchases: Sequence[Buy], judge: Valuation, payments: Payments) -> list[float]:
    """The value for the seat on turn of the position after each of these purchases."""
    positions = []
    for purchase in purchases:
        after = state.copy()
        apply(after, purchase)
        positions.append(after)
    return [value for value, _, _ in judge.judge(positions, state.turn, payments)]


def _settle(state: State, payments: Payments, rng: Random) -> None:
    """Answer what a merger asks before the purchase, by the rollout policy."""
    while state.decision.kind in UNPLANNED:
        apply(state, policy_move(state, rng.random, payments, 0.0))


def _cost(state: State, purchase: Buy) -> int:
    prices, size = state.rules.prices, state.size
    return sum([prices[chain][size[chain]] for chain in purchase.shares])
