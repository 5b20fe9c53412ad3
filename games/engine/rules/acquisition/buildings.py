"""Buildings: connected tiles of one player, and the standings that they decide."""

from collections.abc import Iterable, Iterator, Sequence

from games.engine.rules.acquisition.board import NEIGHBOURS
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL, State


def buildings(board: Sequence[int], squares: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Owner and size of each building (connected tiles of one colour) among these tiles."""
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
    """Add the buildings of these squares to the count (`by` 1) or subtract them (`by` -1)."""
    for owner, size in buildings(state.board, squares):
        state.buildings[size][owner] += by


def built(state: State, seat: int) -> tuple[int, int, int]:
    """The number of large, medium and small buildings of a seat, most important first."""
    counts = state.buildings
    return counts[LARGE][seat], counts[MEDIUM][seat], counts[SMALL][seat]


def standings(state: State) -> list[tuple[int, int, int]]:
    """Rank, seat and large buildings, the winner first.

    Ties are broken by medium buildings, then by small ones; seats with equal numbers of all three
    have an equal rank (1, 2, 2, 4).
    """
    scores = [built(state, seat) for seat in range(state.seats)]
    order = sorted(range(state.seats), key=scores.__getitem__, reverse=True)
    return [(1 + sum(score > scores[seat] for score in scores), seat, scores[seat][0]) for seat in order]


def worth(state: State) -> list[int]:
    """Large buildings by seat, which are the score."""
    return state.buildings[LARGE][:]
