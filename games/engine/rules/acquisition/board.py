"""The squares of the board: 12 columns by 12 rows, a1 to l12, and the symmetries of the square.

Squares are named as the designer names them, column first; a1 is at the top left.
"""

from collections.abc import Sequence
from typing import Final

COLUMNS: Final = "abcdefghijkl"
SIDE: Final = len(COLUMNS)
ROWS: Final = range(1, SIDE + 1)
SQUARES: Final = range(SIDE * SIDE)

# Values of `State.board` besides the tile of a seat, which is the seat's number plus one.
EMPTY: Final = 0
PARK: Final = 5


def _name(square: int) -> str:
    row, column = divmod(square, SIDE)
    return f"{COLUMNS[column]}{row + 1}"


def _neighbours(square: int) -> tuple[int, ...]:
    row, column = divmod(square, SIDE)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return tuple(r * SIDE + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE)


def _symmetries() -> dict[str, tuple[int, ...]]:
    """For each symmetry but the identity, the image of each square."""
    last = SIDE - 1
    places = [divmod(square, SIDE) for square in SQUARES]
    return {
        "quarter turn": tuple(c * SIDE + last - r for r, c in places),
        "half turn": tuple((last - r) * SIDE + last - c for r, c in places),
        "three quarter turn": tuple((last - c) * SIDE + r for r, c in places),
        "left and right": tuple(r * SIDE + last - c for r, c in places),
        "top and bottom": tuple((last - r) * SIDE + c for r, c in places),
        "falling diagonal": tuple(c * SIDE + r for r, c in places),
        "rising diagonal": tuple((last - c) * SIDE + last - r for r, c in places),
    }


SQUARE_NAMES: Final = tuple(_name(square) for square in SQUARES)
SQUARE_BY_NAME: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}
NEIGHBOURS: Final = tuple(_neighbours(square) for square in SQUARES)
SYMMETRIES: Final = _symmetries()


def group(board: Sequence[int], square: int) -> list[int]:
    """The square and all building tiles connected with it, in board order.

    For an empty square, this is the group that a tile there would make.
    """
    found = [square]
    for member in found:
        for neighbour in NEIGHBOURS[member]:
            if EMPTY < board[neighbour] < PARK and neighbour not in found:
                found.append(neighbour)
    found.sort()
    return found
