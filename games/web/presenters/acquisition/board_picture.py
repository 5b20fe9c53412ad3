"""The city as a picture without style sheets."""

from typing import Final

from games.engine.rules.acquisition.board import EMPTY, PARK, SIDE, SQUARES
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import MATERIALS
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.board_drawing import CELL, WHITE, BoardPicture, Cell

# Colours of the materials and of their letters, as in the style sheet's light scheme.
_COLOURS: Final = {
    "brick": ("#a8452c", WHITE),
    "steel": ("#3c5f93", WHITE),
    "concrete": ("#a19c92", "#1d1a14"),
    "glass": ("#8ed0da", "#12292e"),
}
_PARK: Final = "#2f7d43"


def board_picture(seen: Observation) -> BoardPicture:
    """Draw the city with its parks and tiles."""
    return BoardPicture(SIDE, SIDE, tuple(_cell(seen, square) for square in SQUARES))


def _cell(seen: Observation, square: int) -> Cell:
    row, column = divmod(square, SIDE)
    value = seen.board[square]
    if value == EMPTY:
        return Cell(column, row, CELL)
    if value == PARK:
        return Cell(column, row, _PARK, "P")
    fill, ink = _COLOURS[MATERIALS[value - 1]]
    return Cell(column, row, fill, material(value - 1).letter, ink)
