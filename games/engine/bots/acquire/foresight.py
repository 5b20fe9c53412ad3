"""Foresight: in each try of a search the other seats buy what the valuation ranks first for them.

The rollout policy makes all other decisions. Its own purchases are rough, and a plan that is good against
them may be bad against good ones.
"""

from collections.abc import Sequence
from math import inf
from random import Random

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.rollout_policy import PURCHASES, RARE_MISTAKES, Chance
from games.engine.bots.acquire.rollout_policy import move as policy_move
from games.engine.bots.acquire.valuation import Valuation
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.moves import MAX_BOUGHT, Buy
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import may_declare_end

# Chains of the shares that are bought, in order.
Shares = tuple[int, ...]


class _Continuation:
    """A position that is played on, its random numbers, and whether the turn of another seat has begun."""

    __slots__ = ("chance", "others_played", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance
        self.others_played = False


def play_on(
    states: Sequence[State], chances: Sequence[Random], seat: int, judge: Valuation, payments: Payments
) -> None:
    """Play positions of one game on until the seat's next turn begins, or to the end.

    `chances` are the random generators, one for each position. The positions go on side by side, so that the
    judge gets their purchases in batches.
    """
    going_on = [_Continuation(state, chance.random) for state, chance in zip(states, chances, strict=True)]
    while going_on:
        going_on = [one for one in going_on if _play_to_purchase(one, seat, payments)]
        bought = purchases([one.state for one in going_on], judge, payments)
        for one, purchase in zip(going_on, bought, strict=True):
            apply(one.state, purchase)


def purchases(states: Sequence[State], judge: Valuation, payments: Payments) -> list[Buy]:
    """The purchases of the seats on turn, in positions of one game that ask for one.

    Each is built share by share: always the share that the judge ranks first, until none is worth more than
    stopping. The judge sees the hand of the seat that follows, which changes few purchases.
    """
    bought: list[Shares] = [()] * len(states)
    values = [-inf] * len(states)
    tried = [(index, shares) for index, state in enumerate(states) for shares in ((), *_one_more(state, ()))]
    while tried:
        judged = _values(
            [states[index] for index, _ in tried], [shares for _, shares in tried], judge, payments
        )
        growing: list[int] = []
        for (index, shares), value in zip(tried, judged, strict=True):
            if value > values[index]:
                values[index], bought[index] = value, shares
                if shares and index not in growing[-1:]:
                    growing.append(index)
        tried = [(index, larger) for index in growing for larger in _one_more(states[index], bought[index])]
    return [PURCHASES[shares, False] for shares in bought]


def _play_to_purchase(one: _Continuation, seat: int, payments: Payments) -> bool:
    """Play on to the next purchase of another seat; return whether there is one before the seat's next turn.

    Where the end may be declared, the policy decides about both purchase and end.
    """
    state = one.state
    while not state.ended:
        if state.turn != seat:
            one.others_played = True
            if state.decision.kind == "buy" and not may_declare_end(state):
                return True
        elif one.others_played:
            return False
        apply(state, policy_move(state, one.chance, payments, RARE_MISTAKES))
    return False


def _one_more(state: State, bought: Shares) -> list[Shares]:
    """These shares and one more, for each chain of which the seat on turn can buy another."""
    if len(bought) == MAX_BOUGHT:
        return []
    prices, size, bank = state.rules.prices, state.size, state.bank
    cash = state.cash[state.turn] - sum([prices[chain][size[chain]] for chain in bought])
    return [
        tuple(sorted((*bought, chain)))
        for chain in CHAINS
        if size[chain] and bank[chain] > bought.count(chain) and prices[chain][size[chain]] <= cash
    ]


def _values(
    states: Sequence[State], bought: Sequence[Shares], judge: Valuation, payments: Payments
) -> list[float]:
    """The value of each position after these shares are bought, for the seat that buys them."""
    after = []
    for state, shares in zip(states, bought, strict=True):
        position = state.copy()
        apply(position, PURCHASES[shares, False])
        after.append(position)
    judged = judge.judge_each(after, [state.turn for state in states], payments)
    return [value for value, _, _ in judged]
