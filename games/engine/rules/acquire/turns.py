"""Turns: beginning, purchase, drawing of tiles, and the end of the game."""

from collections import Counter

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import pay_bonuses, worth
from games.engine.rules.acquire.chains import CHAIN_NAMES, END_SIZE, SAFE, scoring_order
from games.engine.rules.acquire.events import (
    Bought,
    DeadTilesShown,
    Drew,
    Ended,
    HandRedrawn,
    Passed,
    SoldAtEnd,
)
from games.engine.rules.acquire.moves import Buy, Pass, Redraw
from games.engine.rules.acquire.state import HAND, OVER, PLACES, STUCKS, State, ask_purchase
from games.engine.rules.acquire.teams import ranking
from games.engine.rules.acquire.tile_placement import is_dead, nothing_dead, playable


def begin_turn(state: State) -> None:
    """Ask the seat on turn for a tile, or how to continue without one."""
    state.unchanged += 1
    ask_for_tile(state)


def ask_for_tile(state: State) -> None:
    """Set the decision about the tile from the hand of the seat on turn."""
    state.playable = playable(state, state.hands[state.turn])
    state.decision = PLACES[state.turn] if state.playable else STUCKS[state.turn]


def pass_tile(state: State, move: Pass) -> None:
    """Continue with the purchase when no tile can be placed."""
    if state.events is not None:
        state.events.append(Passed(state.turn))
    ask_purchase(state)


def may_redraw(state: State) -> bool:
    """Return whether a hand without a playable tile may be set aside for a new one."""
    return state.rules.redraw_hand and bool(state.bag)


def redraw(state: State, move: Redraw) -> None:
    """Set the hand aside for good, draw a new one, and ask for a tile again."""
    hand = state.hands[state.turn]
    shown = tuple(sorted(hand))
    state.aside += shown
    hand.clear()
    drawn = _fill(state, hand)
    state.unchanged = 0
    if state.events is not None:
        state.events.append(HandRedrawn(state.turn, tuple(SQUARE_NAMES[square] for square in shown), drawn))
    ask_for_tile(state)


def _fill(state: State, hand: list[int]) -> int:
    """Draw until the hand is full or the bag is empty; return the number of tiles drawn."""
    bag = state.bag
    before = len(hand)
    while bag and len(hand) < HAND:
        hand.append(bag.pop())
    return len(hand) - before


def may_declare_end(state: State) -> bool:
    """Return whether all chains on the board (at least one) are safe, or one has reached the end size."""
    size = state.size
    most = max(size)
    return most >= END_SIZE or (most >= SAFE and min([tiles for tiles in size if tiles]) >= SAFE)


def buy(state: State, move: Buy) -> None:
    """Pay for the shares, then end the turn or the game."""
    turn, bank, holdings, size = state.turn, state.bank, state.holdings, state.size
    prices = state.rules.prices
    dollars = 0
    for chain in move.shares:
        dollars += prices[chain][size[chain]]
        bank[chain] -= 1
        holdings[chain][turn] += 1
    state.cash[turn] -= dollars
    if state.events is not None:
        shares = tuple((CHAIN_NAMES[chain], count) for chain, count in Counter(move.shares).items())
        state.events.append(Bought(turn, shares, dollars))
    if move.end:
        end(state, "declared")
    else:
        _end_turn(state)


def _end_turn(state: State) -> None:
    hand = state.hands[state.turn]
    drawn = _fill(state, hand)
    if drawn:
        # In a position given as text, a hand can be short although the bag is not empty.
        state.unchanged = 0
        if state.events is not None:
            state.events.append(Drew(state.turn, drawn))
    if state.rules.dead_tiles == "replace":
        _turn_up_dead(state, hand)
    if state.unchanged >= state.seats:
        end(state, "unchanged")
    elif not state.bag and not any(state.hands):
        end(state, "no tiles")
    else:
        state.turn = (state.turn + 1) % state.seats
        begin_turn(state)


def _turn_up_dead(state: State, hand: list[int]) -> None:
    if nothing_dead(state):
        return
    while state.bag and (dead := sorted(square for square in hand if is_dead(state, square))):
        state.aside += tuple(dead)
        hand[:] = [square for square in hand if square not in dead]
        drawn = _fill(state, hand)
        state.unchanged = 0
        if state.events is not None:
            state.events.append(DeadTilesShown(state.turn, tuple(SQUARE_NAMES[square] for square in dead)))
            state.events.append(Drew(state.turn, drawn))


def end(state: State, reason: str) -> None:
    """Pay the last bonuses, the smallest chain first, and sell all shares of chains on the board."""
    state.ended = reason
    if state.events is not None:
        state.events.append(Ended(state.turn, reason))
    size = state.size
    chains = [chain for chain in scoring_order(state.rules.tiers) if size[chain]]
    chains.sort(key=size.__getitem__)
    for chain in chains:
        pay_bonuses(state, chain)
    for chain in chains:
        price = state.rules.prices[chain][size[chain]]
        for seat, shares in enumerate(state.holdings[chain]):
            state.cash[seat] += shares * price
            if shares and state.events is not None:
                state.events.append(SoldAtEnd(seat, CHAIN_NAMES[chain], shares, shares * price))
    state.decision = OVER


def standings(state: State) -> list[tuple[int, int, int]]:
    """Rank, seat and dollars, the winner first, as `ranking` has them.

    Before the end, the dollars are what `worth` computes for a game that ended now.
    """
    return ranking(state.rules, worth(state))
