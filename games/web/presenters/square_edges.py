"""CSS classes that join neighbouring squares of the same kind."""

from collections.abc import Sequence


def edge_classes(cells: Sequence[int], square: int, columns: int) -> list[str]:
    """The CSS classes that join a square with neighbours of the same kind."""
    row, column = divmod(square, columns)
    rows = len(cells) // columns

    def same(down: int, right: int) -> bool:
        r, c = row + down, column + right
        return 0 <= r < rows and 0 <= c < columns and cells[r * columns + c] == cells[square]

    sides = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
    found = [f"join-{side}" for side, (down, right) in sides.items() if same(down, right)]
    if same(0, 1) and same(1, 0) and same(1, 1):
        found.append("join-se")
    return found
