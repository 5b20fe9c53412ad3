"""Evaluation of a position for each seat: its buildings, and what can still become one.

The rules make some groups safe and leave others open to all. A pair of one owner will become a large
building as long as a square is left to complete it: any other player who completes it gives it away. A
pair of two owners, or a gap between single tiles of two owners, belongs to the first who places the
third tile.
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from games.engine.bots.acquisition.linear_weights import WEIGHTS, Weights
from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, SQUARES, group
from games.engine.rules.acquisition.buildings import standings
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL, State

# Bounds the exponent, so that no position counts as certain.
MAX_EXPONENT: Final = 50.0

# An unfinished group: the seats it counts for, its value for each of them, and its number of ends open to
# everybody. A gap has its two ends in two groups, a pair has both in itself.
Part = tuple[tuple[int, ...], float, int]


class PositionValue:
    """Values of a state by seat, on which tiles can be tried without playing them.

    The state must not change meanwhile.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._weights = weights = WEIGHTS[len(state.open)]
        counts = state.buildings
        self._worth = [
            weights.large * large + weights.medium * medium + weights.small * small
            for large, medium, small in zip(counts[LARGE], counts[MEDIUM], counts[SMALL], strict=True)
        ]
        self._ends = 0
        self._parts: dict[int, Part] = {}
        for square in SQUARES:
            if 0 < state.size[square] < LARGE and square == _name(state.size, square):
                part = _part(state.board, state.size, square, weights)
                if not all(state.reserve):
                    # A player without tiles completes nothing.
                    part = (tuple(seat for seat in part[0] if state.reserve[seat]), *part[1:])
                self._parts[square] = part
                self._ends += _add(self._worth, part, 1)

    def chance(self, seat: int) -> float:
        """The expected share of the win of a seat, from 0 to 1."""
        state = self._state
        if state.ended:
            winners = [winner for rank, winner, _ in standings(state) if rank == 1]
            return (seat in winners) / len(winners)
        return self._share(self._worth[:], self._ends, state.turn, seat)

    def chance_after(self, square: int) -> float:
        """The chance of the seat on turn after placing a tile that does not complete a group of three.

        This assumes that the game goes on afterwards.
        """
        state, weights = self._state, self._weights
        board, size, turn = state.board, state.size, state.turn
        mate = next((other for other in NEIGHBOURS[square] if size[other]), None)
        worth, ends = self._worth[:], self._ends
        near = self._near(square)
        worth[turn] += weights.small
        if mate is not None:
            near |= self._near(mate)
            if board[mate] == turn + 1:
                worth[turn] += weights.medium - 2 * weights.small
        for name in near:
            ends += _add(worth, self._parts[name], -1)
        board[square] = turn + 1
        size[square] = 1
        if mate is not None:
            size[square] = size[mate] = 2
            near.discard(mate)
        for name in (*near, square):
            ends += _add(worth, _part(board, size, name, weights), 1)
        board[square] = EMPTY
        size[square] = 0
        if mate is not None:
            size[mate] = 1
        return self._share(worth, ends, (turn + 1) % state.seats, turn)

    def chance_when(self, later: State, square: int) -> float:
        """The chance after a tile on this square that completed a group of three and led to state `later`."""
        if later.ended:
            return PositionValue(later).chance(self._state.decision.seat)
        weights, worth, ends = self._weights, self._worth[:], self._ends
        near: set[int] = set()
        for member in group(later.board, square):
            near |= self._near(member)
        for name in near:
            ends += _add(worth, self._parts[name], -1)
            if later.size[name] < LARGE:
                ends += _add(worth, _part(later.board, later.size, name, weights), 1)
        for kind, weight in ((LARGE, weights.large), (MEDIUM, weights.medium), (SMALL, weights.small)):
            before, now = self._state.buildings[kind], later.buildings[kind]
            if before != now:
                for seat, (had, has) in enumerate(zip(before, now, strict=True)):
                    worth[seat] += weight * (has - had)
        return self._share(worth, ends, later.turn, self._state.decision.seat)

    def _near(self, square: int) -> set[int]:
        """The unfinished groups connected with a group on this square, at most one open square away."""
        board, parts, size = self._state.board, self._parts, self._state.size
        found = {_name(size, square)} if size[square] else set()
        for beside in NEIGHBOURS[square]:
            if board[beside] == EMPTY:
                for other in NEIGHBOURS[beside]:
                    if 0 < size[other] < LARGE:
                        found.add(other if other in parts else _name(size, other))
        return found

    def _share(self, worth: list[float], ends: int, turn: int, seat: int) -> float:
        """A seat's expected share of the win when it is the turn of `turn`."""
        weights, seats = self._weights, len(worth)
        for wait in range(seats):
            whose = (turn + wait) % seats
            worth[whose] += weights.wait * wait / seats
            if wait < ends // 2:
                worth[whose] += weights.pick
        own = worth[seat]
        return 1.0 / sum([exp(min(MAX_EXPONENT, other - own)) for other in worth])


def _add(worth: list[float], part: Part, times: int) -> int:
    """Add a part to its seats, or subtract it (`times` -1); return the change of the number of ends."""
    seats, value, ends = part
    for seat in seats:
        worth[seat] += times * value
    return times * ends


def _name(size: Sequence[int], square: int) -> int:
    """The first square of an unfinished group, which identifies it."""
    return min(square, _pair_partner(size, square)) if size[square] > 1 else square


def _pair_partner(size: Sequence[int], square: int) -> int:
    """The other tile of a pair."""
    for neighbour in NEIGHBOURS[square]:
        if size[neighbour] == 2:
            return neighbour
    raise ValueError(f"There is no pair on {square}.")


def _part(board: Sequence[int], size: Sequence[int], square: int, weights: Weights) -> Part:
    """The value of the unfinished group on this square."""
    if size[square] == 1:
        return _single(board, size, square, weights)
    mate = _pair_partner(size, square)
    ways = _ways(board, size, square) + _ways(board, size, mate)
    owners = (board[square] - 1, board[mate] - 1)
    if not ways:
        return (), 0.0, 0
    if owners[0] != owners[1]:
        return owners, weights.stake, 2
    return owners[:1], (weights.pair1, weights.pair2, weights.pair3)[min(ways, 3) - 1], 0


def _single(board: Sequence[int], size: Sequence[int], square: int, weights: Weights) -> Part:
    beside, linked = 0, False
    owner = (board[square] - 1,)
    for neighbour in NEIGHBOURS[square]:
        if board[neighbour] == EMPTY:
            touched = sum([size[other] for other in NEIGHBOURS[neighbour]])
            if touched == 1:
                beside += 1
            elif touched == 2:
                # The other group that touches the square is also a single tile.
                marks = [board[other] for other in NEIGHBOURS[neighbour] if size[other]]
                if marks[0] != marks[1]:
                    return owner, weights.stake, 1
                linked = True
    if linked:
        return owner, weights.linked, 0
    if not beside:
        return (), 0.0, 0
    return owner, (weights.single1, weights.single2, weights.single3)[min(beside, 3) - 1], 0


def _ways(board: Sequence[int], size: Sequence[int], square: int) -> int:
    """The number of squares beside a tile of a pair that complete it: those that touch no other group."""
    found = 0
    for neighbour in NEIGHBOURS[square]:
        if board[neighbour] == EMPTY and sum([size[other] for other in NEIGHBOURS[neighbour]]) == 2:
            found += 1
    return found
