"""The squares of the board: 12 columns by 9 rows, named column first, 1A to 12I."""

from typing import Final

COLUMNS: Final = 12
ROWS: Final = "ABCDEFGHI"
SQUARES: Final = range(COLUMNS * len(ROWS))

# Values of `State.board` besides the number of a chain.
EMPTY: Final = 0
LONE_TILE: Final = 8


def _name(square: int) -> str:
    row, column = divmod(square, COLUMNS)
    return f"{column + 1}{ROWS[row]}"


def _neighbours(square: int) -> tuple[int, ...]:
    row, column = divmod(square, COLUMNS)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return tuple(r * COLUMNS + c for r, c in around if 0 <= r < len(ROWS) and 0 <= c < COLUMNS)


SQUARE_NAMES: Final = tuple(_name(square) for square in SQUARES)
SQUARE_BY_NAME: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}
NEIGHBOURS: Final = tuple(_neighbours(square) for square in SQUARES)


def claim_tiles(board: list[int], square: int, chain: int) -> int:
    """Give the square and the lone tiles connected with it to the chain; return their number."""
    board[square] = chain
    count = 1
    for neighbour in NEIGHBOURS[square]:
        if board[neighbour] == LONE_TILE:
            count += claim_tiles(board, neighbour, chain)
    return count
