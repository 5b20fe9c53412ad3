"""Data of a board drawn without style sheets."""

from dataclasses import dataclass
from typing import Final

# Colours of everything but the pieces, as #rrggbb.
GROUND: Final = "#f4f1ea"
SURFACE: Final = "#fffdf9"
LINE: Final = "#ddd6c7"
INK: Final = "#211d15"
DIM: Final = "#6c6454"
CELL: Final = "#ebe5d8"
STONE: Final = "#57534a"
WHITE: Final = "#ffffff"


@dataclass(frozen=True, slots=True)
class Cell:
    """A square: its place, its colour, and a letter with a colour of its own."""

    column: int
    row: int
    fill: str
    letter: str = ""
    ink: str = WHITE


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board of `columns` by `rows` squares."""

    columns: int
    rows: int
    cells: tuple[Cell, ...]
