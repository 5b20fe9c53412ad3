"""Buildings: what tiles of one colour make together, and who wins by them."""

from collections.abc import Iterable, Iterator, Sequence

from .board import NEIGHBOURS
from .state import LARGE, MEDIUM, SMALL, State


def buildings(board: Sequence[int], squares: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Owner and size of each building among the squares of tiles: connected tiles of one colour."""
    left = set(squares)
    while left:
        building = [left.pop()]
        for square in building:
            for neighbour in NEIGHBOURS[square]:
                if neighbour in left and board[neighbour] == board[square]:
                    left.remove(neighbour)
                    building.append(neighbour)
        yield board[building[0]] - 1, len(building)


def count(state: State, squares: Iterable[int], by: int) -> None:
    """Add the buildings of these squares to the count (`by` 1) or take them out of it (`by` -1)."""
    for owner, size in buildings(state.board, squares):
        state.buildings[size][owner] += by


def built(state: State, seat: int) -> tuple[int, int, int]:
    """How many large, medium and small buildings a seat has: the more, the better, in this order."""
    counts = state.buildings
    return counts[LARGE][seat], counts[MEDIUM][seat], counts[SMALL][seat]


def standings(state: State) -> list[tuple[int, int, int]]:
    """Rank, seat and large buildings, the winner first.

    Of those with as many large buildings the one with more medium ones is before the others, then the
    one with more small ones; who has as many of each has an equal rank (1, 2, 2, 4).
    """
    scores = [built(state, seat) for seat in range(state.seats)]
    order = sorted(range(state.seats), key=scores.__getitem__, reverse=True)
    return [(1 + sum(score > scores[seat] for score in scores), seat, scores[seat][0]) for seat in order]


def worth(state: State) -> list[int]:
    """Large buildings by seat, which is what the game is won by."""
    return state.buildings[LARGE][:]
