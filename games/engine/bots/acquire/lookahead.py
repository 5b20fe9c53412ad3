"""Lookahead: the value of a move once everything that follows at once is settled."""

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.net_worth import advantage
from games.engine.bots.acquire.rollout_policy import disposal
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.state import State


def advantage_after(state: State, move: Move, seat: int, payments: Payments) -> float:
    """The seat's advantage after the move, in dollars; the state is not changed."""
    if isinstance(move, Buy) and not move.end:
        return _advantage_after_purchase(state, move, payments)
    state = state.copy()
    apply(state, move)
    while state.decision.kind == "dispose":
        apply(state, disposal(state))
    if state.decision.kind in ("found", "survivor", "next"):
        return max(advantage_after(state, follow_up, seat, payments) for follow_up in legal_moves(state))
    return advantage(state, seat, payments)


def _advantage_after_purchase(state: State, purchase: Buy, payments: Payments) -> float:
    # There can be 200 purchases, which differ only in money and shares, so avoid copies.
    seat, size = state.turn, state.size
    dollars = 0
    for chain in purchase.shares:
        dollars += state.rules.prices[chain][size[chain]]
        state.holdings[chain][seat] += 1
    state.cash[seat] -= dollars
    found = advantage(state, seat, payments)
    state.cash[seat] += dollars
    for chain in purchase.shares:
        state.holdings[chain][seat] -= 1
    return found
