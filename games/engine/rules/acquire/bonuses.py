"""Majority and minority bonuses, including ties."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, NEIGHBOURS, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.events import BankTile, BonusPaid
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.engine.rules.seeded_random import random_below

# Bonus of each place, in per cent of the majority bonus.
_PLACES: Final = {"two": (100, 50), "four": (100, 75, 50, 25)}


@dataclass(frozen=True, slots=True)
class Bonus:
    """The bonus of one holder.

    `place` counts from 1, `tied` is the number of holders who share it (1: no tie), and
    a `sole` holder takes the first two places.
    """

    seat: int
    dollars: int
    place: int
    tied: int
    sole: bool


def bonuses(rules: Rules, held: Sequence[int], price: int) -> list[Bonus]:
    """The bonuses of a chain with this share price, best place first.

    `held` is the number of shares by seat. With two players it has a third entry
    for the bank, whose bonus is listed but paid to nobody.
    """
    places = _PLACES[rules.payout]
    counts = sorted({count for count in held if count}, reverse=True)
    sole = len(counts) == 1 and held.count(counts[0]) == 1
    paid: list[Bonus] = []
    place = 0
    for count in counts:
        tied = held.count(count)
        per_cent = places[0] + places[1] if sole else sum(places[place : place + tied])
        if not per_cent:
            break
        # The majority bonus is ten times the price, and prices are whole hundreds.
        dollars = _share(rules, per_cent * price // 10, tied)
        paid += [Bonus(seat, dollars, place + 1, tied, sole) for seat, own in enumerate(held) if own == count]
        place += tied
    return paid


def _share(rules: Rules, dollars: int, tied: int) -> int:
    if rules.rounding == "up100":
        return -(-dollars // (100 * tied)) * 100
    return (2 * dollars + tied) // (2 * tied)


def pay_bonuses(state: State, chain: int) -> None:
    """Pay the bonuses for a chain at its present size."""
    held = state.holdings[chain]
    if not any(held):
        return
    if state.seats == 2:
        held = [*held, _turn_bank_tile(state, chain)]
    for bonus in bonuses(state.rules, held, state.rules.prices[chain][state.size[chain]]):
        seat = bonus.seat
        if seat < state.seats:
            state.cash[seat] += bonus.dollars
            if state.events is not None:
                how = bonus.place, bonus.tied, bonus.sole
                state.events.append(BonusPaid(seat, CHAIN_NAMES[chain], bonus.dollars, held[seat], *how))


def _turn_bank_tile(state: State, chain: int) -> int:
    """Turn up a tile for the bank, put it back, and return the number of shares it gives the bank."""
    if state.coming:
        tile, state.coming = state.coming[0], state.coming[1:]
    else:
        # Sorted, so that the order of the bag neither decides the tile nor is revealed by it.
        tiles = sorted(state.bag) or SQUARES
        tile = tiles[random_below(state.seed, "bank", state.turned, len(tiles))]
    state.turned += 1
    shares = tile % COLUMNS + 1
    if state.events is not None:
        state.events.append(BankTile(CHAIN_NAMES[chain], SQUARE_NAMES[tile], shares))
    return shares


def worth(state: State) -> list[int]:
    """Dollars by seat if the game ended now; with two players the bank counts as holding nothing.

    During a merger the bonuses of a dissolved chain are already paid, and its shares count only for
    holders who can still sell them.
    """
    total = state.cash[:]
    if state.ended:
        return total
    dissolved = _dissolved(state) if state.survivor else ()
    for chain, size in enumerate(state.size):
        if size:
            price = state.rules.prices[chain][size]
            held = state.holdings[chain]
            if chain in dissolved:
                for seat in state.to_dispose if chain == state.defunct else ():
                    total[seat] += held[seat] * price
                continue
            for seat, shares in enumerate(held):
                total[seat] += shares * price
            for bonus in bonuses(state.rules, held, price):
                total[bonus.seat] += bonus.dollars
    return total


def _dissolved(state: State) -> set[int]:
    """The chains of the current merger whose bonuses have been paid; they still have their tiles."""
    merging = {state.board[neighbour] for neighbour in NEIGHBOURS[state.tile]} - {EMPTY, LONE_TILE}
    return merging - {state.survivor, *state.queue}
