"""Foresight: tries of a search in which the other seats buy what the valuation ranks first for them.

The rollout policy makes all other decisions. Its own purchases are rough, and a plan that is good against
them may be bad against good ones.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.rollout_policy import RARE_MISTAKES, Chance
from games.engine.bots.acquire.rollout_policy import move as policy_move
from games.engine.bots.acquire.valuation import Valuation
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.chains import CHAINS
from games.engine.rules.acquire.moves import BUY, MAX_BOUGHT, Buy
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import may_declare_end

# Chains considered for the second and third share. With two, 92% of the purchases are the same as with all
# chains.
GROWING_CHAINS: Final = 2

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
    stopping. Only the two chains whose first share gains most are considered for the second and third share;
    of equals, the one that comes later in `CHAINS`. The judge sees the hand of the seat that follows, which
    changes few purchases.
    """
    begun = [_Purchase(state) for state in states]
    growing = begun
    while growing:
        offers = [purchase.offers() for purchase in growing]
        values = iter(_values(growing, offers, judge, payments))
        growing = [
            purchase
            for purchase, shares in zip(growing, offers, strict=True)
            if purchase.grow([(next(values), one) for one in shares])
        ]
    return [BUY[purchase.shares, False] for purchase in begun]


class _Purchase:
    """A purchase that grows: its shares, their value, and the chains that the next share may be of."""

    __slots__ = ("chains", "shares", "state", "value")

    def __init__(self, state: State) -> None:
        self.state = state
        self.shares: Shares = ()
        self.value = 0.0
        self.chains: Sequence[int] = CHAINS

    def offers(self) -> list[Shares]:
        """The shares to judge next: today's and one more of each chain considered; at first, also none."""
        state, shares = self.state, self.shares
        if len(shares) == MAX_BOUGHT:
            return []
        prices, size, bank = state.rules.prices, state.size, state.bank
        cash = state.cash[state.turn] - sum([prices[chain][size[chain]] for chain in shares])
        larger = [
            tuple(sorted((*shares, chain)))
            for chain in self.chains
            if size[chain] and bank[chain] > shares.count(chain) and prices[chain][size[chain]] <= cash
        ]
        return larger if shares else [(), *larger]

    def grow(self, judged: list[tuple[float, Shares]]) -> bool:
        """Take the best of what was judged if it is worth more than stopping; return whether it was."""
        if not self.shares:
            self.value = judged.pop(0)[0]
        better = sorted([one for one in judged if one[0] > self.value], reverse=True)
        if not better:
            return False
        if not self.shares:
            self.chains = [chain for _, (chain,) in better[:GROWING_CHAINS]]
        self.value, self.shares = better[0]
        return True


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


def _values(
    growing: Sequence[_Purchase], offers: Sequence[Sequence[Shares]], judge: Valuation, payments: Payments
) -> list[float]:
    """The values of all offers in order, each for the seat that buys."""
    after: list[State] = []
    seats: list[int] = []
    for purchase, offered in zip(growing, offers, strict=True):
        for shares in offered:
            position = purchase.state.copy()
            apply(position, BUY[shares, False])
            after.append(position)
            seats.append(purchase.state.turn)
    return [value for value, _, _ in judge.judge_each(after, seats, payments)]
