"""Reference implementation of the legal moves, slow and from the board alone.

It uses none of the engine's sizes, price tables or shortcuts: chains are found by
flood fill, prices are read from the printed chart, and every possible move is tested.
"""

from games.engine.rules.acquire.board import EMPTY, LONE_TILE, SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES
from games.engine.rules.acquire.moves import (
    MOVES,
    Buy,
    Dispose,
    Found,
    Move,
    Next,
    Pass,
    Place,
    Redraw,
    Survivor,
)
from games.engine.rules.acquire.state import State

# The chart as printed: for each price, the size from which it holds, from the low to the high tier.
CHART = """
 200   2   -   -
 300   3   2   -
 400   4   3   2
 500   5   4   3
 600   6   5   4
 700  11   6   5
 800  21  11   6
 900  31  21  11
1000  41  31  21
1100   -  41  31
1200   -   -  41
"""
COLUMNS = {
    "2008": ("worldwide luxor", "festival imperial american", "continental tower"),
    "1962": ("luxor tower", "american festival worldwide", "continental imperial"),
}


def price(tiers: str, name: str, size: int) -> int:
    """Dollars for a share: the last row whose size is not above the chain's."""
    (column,) = [number for number, names in enumerate(COLUMNS[tiers]) if name in names.split()]
    dollars = 0
    for row in CHART.strip().splitlines():
        amount, *sizes = row.split()
        if sizes[column] != "-" and int(sizes[column]) <= size:
            dollars = int(amount)
    return dollars


class Table:
    """A state as a player reads it from a real table: marks on squares, shares in hands."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.rules = state.rules
        self.at = {
            SQUARE_NAMES[square]: CHAIN_NAMES[value] if value != LONE_TILE else "lone"
            for square, value in enumerate(state.board)
            if value != EMPTY
        }
        self.sizes = {name: sum(mark == name for mark in self.at.values()) for name in CHAIN_BY_NAME}
        self.in_bank = {name: 25 - sum(state.holdings[chain]) for name, chain in CHAIN_BY_NAME.items()}

    def touching(self, square: str) -> set[str]:
        """The marks on the four squares around this one."""
        column, row = int(square[:-1]), square[-1]
        around = [
            f"{column - 1}{row}",
            f"{column + 1}{row}",
            f"{column}{chr(ord(row) - 1)}",
            f"{column}{chr(ord(row) + 1)}",
        ]
        return {self.at[name] for name in around if name in self.at}

    def chains_at(self, square: str) -> set[str]:
        return self.touching(square) - {"lone"}

    def is_dead(self, square: str) -> bool:
        chains = self.chains_at(square)
        safe = [name for name in chains if self.sizes[name] >= 11]
        if self.rules.safe_merger:
            return len(safe) >= 2
        return len(safe) >= 1 and len(chains) >= 2

    def is_blocked(self, square: str) -> bool:
        return (
            self.rules.eighth_chain == "blocked"
            and self.touching(square) == {"lone"}
            and all(self.sizes.values())
        )

    def may_place(self, square: str) -> bool:
        return not self.is_dead(square) and not self.is_blocked(square)

    def largest(self) -> set[str]:
        queue = [CHAIN_NAMES[chain] for chain in self.state.queue]
        return {name for name in queue if self.sizes[name] == max(self.sizes[other] for other in queue)}

    def may_end(self) -> bool:
        sizes = [size for size in self.sizes.values() if size]
        return bool(sizes) and (min(sizes) >= 11 or max(sizes) >= 41)

    def may_buy(self, move: Buy) -> bool:
        names = [CHAIN_NAMES[chain] for chain in move.shares]
        if move.end and not self.may_end():
            return False
        for name in names:
            if not self.sizes[name] or names.count(name) > self.in_bank[name]:
                return False
        dollars = sum(price(self.rules.tiers, name, self.sizes[name]) for name in names)
        return dollars <= self.state.cash[self.state.turn]

    def may_dispose(self, move: Dispose) -> bool:
        state = self.state
        own = state.holdings[state.defunct][state.decision.seat]
        stock = self.in_bank[CHAIN_NAMES[state.survivor]]
        return move.sell + move.trade <= own and move.trade // 2 <= stock

    def allows(self, move: Move) -> bool:
        """Return whether the move answers the decision."""
        state = self.state
        kind = state.decision.kind
        hand = [SQUARE_NAMES[tile] for tile in state.hands[state.turn]]
        match move:
            case Place():
                square = SQUARE_NAMES[move.square]
                return kind == "place" and square in hand and self.may_place(square)
            case Redraw():
                return kind == "stuck" and self.rules.redraw_hand and bool(state.bag)
            case Pass():
                return kind == "stuck"
            case Found():
                return kind == "found" and not self.sizes[CHAIN_NAMES[move.chain]]
            case Survivor() | Next():
                return kind == move.kind and CHAIN_NAMES[move.chain] in self.largest()
            case Dispose():
                return kind == "dispose" and self.may_dispose(move)
            case Buy():
                return kind == "buy" and self.may_buy(move)
        raise AssertionError(move)


def legal_moves(state: State) -> set[Move]:
    """All moves that the rules allow."""
    table = Table(state)
    return {move for move in MOVES if table.allows(move)}


def must_place(state: State) -> bool:
    """Return whether the seat on turn holds a tile that may be placed."""
    table = Table(state)
    return any(table.may_place(SQUARE_NAMES[tile]) for tile in state.hands[state.turn])


def connected_tiles(state: State) -> dict[str, list[set[str]]]:
    """By mark, the groups of connected squares that carry it."""
    table = Table(state)
    left = set(table.at)
    groups: dict[str, list[set[str]]] = {}
    while left:
        start = left.pop()
        group, border = {start}, [start]
        while border:
            square = border.pop()
            column, row = int(square[:-1]), ord(square[-1])
            for name in (
                f"{column - 1}{chr(row)}",
                f"{column + 1}{chr(row)}",
                f"{column}{chr(row - 1)}",
                f"{column}{chr(row + 1)}",
            ):
                if name in left and table.at[name] == table.at[start]:
                    left.remove(name)
                    group.add(name)
                    border.append(name)
        groups.setdefault(table.at[start], []).append(group)
    return groups
