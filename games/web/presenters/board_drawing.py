"""Data of a board drawn without style sheets."""

from dataclasses import dataclass
from typing import Final

# Colours of everything but the pieces, as #rrggbb.
GROUND: Final = "#f4f1ea"
SURFACE: Final = "#fffdf9"
LINE: Final = "#ddd6c7"
INK: Final = "#211d15"
DIM: Final = "#665e4f"
SUNKEN: Final = "#ece6d9"
STONE: Final = "#6a655a"
WHITE: Final = "#ffffff"


@dataclass(frozen=True, slots=True)
class Cell:
    """A square: its place, its colour, and a letter with a colour of its own.

    What `joins` is one shape with neighbours of its colour.
    """

    column: int
    row: int
    fill: str
    letter: str = ""
    ink: str = WHITE
    joins: bool = False

    @property
    def css(self) -> str:
        """The CSS classes in mails: of the letter, which decides the inline style, and of the square."""
        return f"{letter_class(self.ink)} {fill_class(self.fill)}" if self.letter else fill_class(self.fill)


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board of `columns` by `rows` squares, and the names of its columns and rows."""

    columns: int
    rows: int
    cells: tuple[Cell, ...]
    column_names: tuple[str, ...] = ()
    row_names: tuple[str, ...] = ()

    @property
    def lines(self) -> list[tuple[str, tuple[Cell, ...]]]:
        """The rows with their names, from the top."""
        return [
            (name, self.cells[row * self.columns : (row + 1) * self.columns])
            for row, name in enumerate(self.row_names)
        ]


def fill_class(fill: str) -> str:
    """The CSS class of squares of this colour in mails."""
    return f"k{fill[1:]}"


def letter_class(ink: str) -> str:
    """The CSS class of letters of this colour in mails."""
    return "on-dark" if ink == WHITE else "on-light"
