"""Interned move objects of Acquire.

A move is an immutable value with a text, and exists once. So moves can be compared
by identity; the log stores the text, and `parse_move` reads it back.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import ClassVar, Final

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES, CHAINS, SHARES
from games.engine.rules.rule_errors import InvalidMove

MAX_BOUGHT: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """An answer to a decision; `kind` is its type, `text` its notation."""

    kind: ClassVar[str]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, eq=False)
class Place(Move):
    """Place the tile of this square."""

    kind = "place"
    square: int


@dataclass(frozen=True, slots=True, eq=False)
class Found(Move):
    """Found this chain with the tile just placed."""

    kind = "found"
    chain: int


@dataclass(frozen=True, slots=True, eq=False)
class Survivor(Move):
    """Choose the survivor among the largest chains of a merger."""

    kind = "survivor"
    chain: int


@dataclass(frozen=True, slots=True, eq=False)
class Next(Move):
    """Choose the next of several defunct chains of the same size."""

    kind = "next"
    chain: int


@dataclass(frozen=True, slots=True, eq=False)
class Dispose(Move):
    """Sell and trade (two for one) these numbers of defunct shares, and hold the rest."""

    kind = "dispose"
    sell: int
    trade: int


@dataclass(frozen=True, slots=True, eq=False)
class Buy(Move):
    """Buy these shares, one chain number for each in ascending order, and declare the end if `end`.

    `first`, `second` and `third` repeat the shares, 0 for none: filtering thousands
    of purchases by price is faster with a sum of fixed length.
    """

    kind = "buy"
    shares: tuple[int, ...]
    end: bool
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True, eq=False)
class Redraw(Move):
    """Show a hand without a playable tile, set it aside for good and draw a new one."""

    kind = "redraw"


@dataclass(frozen=True, slots=True, eq=False)
class Pass(Move):
    """Continue with the purchase without placing a tile."""

    kind = "pass"


def _make_dispose(sell: int, trade: int) -> Dispose:
    words = [f"{verb} {count}" for verb, count in (("sell", sell), ("trade", trade)) if count]
    return Dispose(f"dispose {' '.join(words) or 'nothing'}", sell, trade)


def _make_buy(shares: tuple[int, ...], end: bool) -> Buy:
    words = [f"{count} {CHAIN_NAMES[chain]}" for chain, count in Counter(shares).items()]
    text = f"buy {' '.join(words) or 'nothing'}{' and end' if end else ''}"
    first, second, third = (*shares, 0, 0, 0)[:MAX_BOUGHT]
    return Buy(text, shares, end, first, second, third)


PLACE: Final = tuple(Place(f"place {name}", square) for square, name in enumerate(SQUARE_NAMES))
FOUND: Final = {chain: Found(f"found {CHAIN_NAMES[chain]}", chain) for chain in CHAINS}
SURVIVOR: Final = {chain: Survivor(f"survivor {CHAIN_NAMES[chain]}", chain) for chain in CHAINS}
NEXT: Final = {chain: Next(f"next {CHAIN_NAMES[chain]}", chain) for chain in CHAINS}
DISPOSE: Final = {
    (sell, trade): _make_dispose(sell, trade)
    for trade in range(0, SHARES + 1, 2)
    for sell in range(SHARES - trade + 1)
}
BUY: Final = {
    (shares, end): _make_buy(shares, end)
    for count in range(MAX_BOUGHT + 1)
    for shares in combinations_with_replacement(CHAINS, count)
    for end in (False, True)
}
REDRAW: Final = Redraw("redraw")
PASS: Final = Pass("pass")

MOVES: Final[tuple[Move, ...]] = (
    *PLACE,
    *FOUND.values(),
    *SURVIVOR.values(),
    *NEXT.values(),
    *DISPOSE.values(),
    *BUY.values(),
    REDRAW,
    PASS,
)
_BY_TEXT: Final = {move.text.lower(): move for move in MOVES}
_MAX_TEXT_LENGTH: Final = 200
_PURCHASE: Final = re.compile(r"buy((?: \d [a-z]+)+)((?: and end)?)")
_PAIR: Final = re.compile(r"(\d) ([a-z]+)")
_TRADE_FIRST: Final = re.compile(r"^dispose (trade \d+) (sell \d+)$")


@cache
def disposals(held: int, pairs: int) -> tuple[Dispose, ...]:
    """All disposals of a holder with `held` shares when the bank can trade `pairs` pairs."""
    return tuple(
        DISPOSE[sell, 2 * pair]
        for pair in range(min(pairs, held // 2) + 1)
        for sell in range(held - 2 * pair + 1)
    )


@cache
def purchases(stock: int) -> tuple[tuple[Buy, ...], tuple[Buy, ...]]:
    """All purchases from a stock: first those that do not declare the end, then those with and without.

    `stock` holds two bits per chain, at twice its number: how many of its shares
    can be bought, where three stands for three or more.
    """
    chains = [chain for chain in CHAINS if stock >> 2 * chain & 3]
    scarce = [(chain, count) for chain in chains if (count := stock >> 2 * chain & 3) < MAX_BOUGHT]
    lots = [
        shares
        for count in range(MAX_BOUGHT + 1)
        for shares in combinations_with_replacement(chains, count)
        if all(shares.count(chain) <= most for chain, most in scarce)
    ]
    going_on = tuple(BUY[shares, False] for shares in lots)
    return going_on, (*going_on, *(BUY[shares, True] for shares in lots))


def parse_move(text: str) -> Move:
    """The move with this notation; case, spaces and the order of chains do not matter.

    Raises InvalidMove if there is none.
    """
    move = _BY_TEXT.get(_canonical(text)) if len(text) <= _MAX_TEXT_LENGTH else None
    if move is None:
        raise InvalidMove(text[:_MAX_TEXT_LENGTH])
    return move


def _canonical(text: str) -> str:
    text = " ".join(text.lower().split()).replace("sackson", "luxor")
    if purchase := _PURCHASE.fullmatch(text):
        pairs = sorted(_PAIR.findall(purchase[1]), key=lambda pair: CHAIN_BY_NAME.get(pair[1], 0))
        return f"buy {' '.join(f'{count} {name}' for count, name in pairs)}{purchase[2]}"
    return _TRADE_FIRST.sub(r"dispose \2 \1", text)
