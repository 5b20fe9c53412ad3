"""Foresight: in a search the others buy what the valuation would have them buy.

The rollout policy decides everything else. Its purchases are rough, and a plan that is good against rough
purchases may be bad against the good ones of the other seats.
"""

from collections.abc import Sequence
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


def turns_until(state: State, seat: int) -> int:
    """The number of turns that begin until the seat has its next one, with that one."""
    return (seat - state.turn) % state.seats or state.seats


class _Line:
    """A position that is played on, and how many turns begin until it is the seat's turn again."""

    __slots__ = ("chance", "state", "turn", "turns")

    def __init__(self, state: State, seat: int, chance: Chance) -> None:
        self.state, self.chance = state, chance
        self.turn: int = state.turn
        self.turns = turns_until(state, seat)


def play_on(
    states: Sequence[State], chances: Sequence[Random], seat: int, judge: Valuation, payments: Payments
) -> None:
    """Play each position of one game on until the seat's next turn begins, or to the end.

    `chances` has the random numbers of each. The positions go on side by side, as the judge takes hardly
    longer for the purchases of all of them than for those of one.
    """
    lines = [_Line(state, seat, chance.random) for state, chance in zip(states, chances, strict=True)]
    while lines:
        lines = [line for line in lines if _reaches_a_purchase(line, seat, payments)]
        for line, purchase in zip(
            lines, purchases([line.state for line in lines], judge, payments), strict=True
        ):
            apply(line.state, purchase)


def purchases(states: Sequence[State], judge: Valuation, payments: Payments) -> list[Buy]:
    """What the seat on turn buys in each of these positions of one game, which ask for a purchase.

    It is built share by share, each time with the share that the judge ranks first, as long as one is worth
    more than to stop.
    """
    bought: list[Shares] = [()] * len(states)
    values = _values(states, bought, judge, payments)
    growing = [*range(len(states))]
    for _ in range(MAX_BOUGHT):
        tried = [(index, larger) for index in growing for larger in _one_more(states[index], bought[index])]
        judged = _values(
            [states[index] for index, _ in tried], [larger for _, larger in tried], judge, payments
        )
        growing = []
        for (index, larger), value in zip(tried, judged, strict=True):
            if value > values[index]:
                values[index], bought[index] = value, larger
                if not growing or growing[-1] != index:
                    growing.append(index)
    return [PURCHASES[shares, False] for shares in bought]


def _reaches_a_purchase(line: _Line, seat: int, payments: Payments) -> bool:
    """Play on to the next purchase of another seat; False if the seat's turn or the end comes first.

    A purchase with which the end may be declared is left to the policy, which decides both.
    """
    state = line.state
    while True:
        if state.turn != line.turn:
            line.turn = state.turn
            line.turns -= 1
        if state.ended or not line.turns:
            return False
        if state.decision.kind == "buy" and state.turn != seat and not may_declare_end(state):
            return True
        apply(state, policy_move(state, line.chance, payments, RARE_MISTAKES))


def _one_more(state: State, bought: Shares) -> list[Shares]:
    """These shares and one more, of each chain of which the seat on turn can buy it."""
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
    return judge.values(after, [state.turn for state in states], payments)
