"""The city as a picture without style sheets."""

from typing import Final

from games.engine.rules.acquisition.board import COLUMNS, EMPTY, PARK, ROWS, SIDE, SQUARES
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import MATERIAL_LETTERS, MATERIALS
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.board_drawing import SUNKEN, WHITE, BoardPicture, Cell

# Colours of the materials and of their letters, as in the style sheet's light scheme.
_COLOURS: Final = {
    "brick": ("#a8452c", WHITE),
    "steel": ("#3c5f93", WHITE),
    "concrete": ("#a19c92", "#1d1a14"),
    "glass": ("#8ed0da", "#12292e"),
}
_PARK: Final = "#2f7d43"


# A city in the middle of a game, by the letters of the materials; "P" is a park.
_SAMPLE: Final = """
............
..P.BB......
....BS..S...
.....SS.....
..CC....P...
..C.B.......
....BB..SS..
.P......SS..
......C.....
..BB..CC....
..B.......P.
............
"""


def sample_picture() -> BoardPicture:
    """Draw a city for people who do not know the game."""
    marks = "".join(_SAMPLE.split())
    return _picture(tuple(_sample_cell(square, mark) for square, mark in enumerate(marks)))


def board_picture(seen: Observation) -> BoardPicture:
    """Draw the city with its parks and tiles."""
    cells = tuple(_cell(seen, square) for square in SQUARES)
    return _picture(cells)


def _picture(cells: tuple[Cell, ...]) -> BoardPicture:
    return BoardPicture(SIDE, SIDE, cells, tuple(COLUMNS), tuple(map(str, ROWS)))


def material_colours(seat: int) -> tuple[str, str]:
    """The colours of a seat's material and of its letter."""
    return _COLOURS[MATERIALS[seat]]


def _cell(seen: Observation, square: int) -> Cell:
    row, column = divmod(square, SIDE)
    value = seen.board[square]
    if value == EMPTY:
        return Cell(column, row, SUNKEN)
    if value == PARK:
        return Cell(column, row, _PARK, "P")
    fill, ink = _COLOURS[MATERIALS[value - 1]]
    return Cell(column, row, fill, material(value - 1).letter, ink, joins=True)


def _sample_cell(square: int, mark: str) -> Cell:
    row, column = divmod(square, SIDE)
    if mark in MATERIAL_LETTERS:
        fill, ink = material_colours(MATERIAL_LETTERS.index(mark))
        return Cell(column, row, fill, mark, ink, joins=True)
    return Cell(column, row, _PARK, "P") if mark == "P" else Cell(column, row, SUNKEN)
