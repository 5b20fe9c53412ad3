"""The board as a picture without style sheets."""

from typing import Final

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, ROWS
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.chain_names import chain
from games.web.presenters.board_drawing import CELL, INK, STONE, WHITE, BoardPicture, Cell

# Colours of the chains and of their letters, as in the style sheet's light scheme.
_COLOURS: Final = {
    "american": ("#c4352c", WHITE),
    "continental": ("#2458b4", WHITE),
    "festival": ("#23793a", WHITE),
    "imperial": ("#f0c02c", INK),
    "luxor": ("#7b3f9c", WHITE),
    "tower": ("#7a4b22", WHITE),
    "worldwide": ("#ec8a1f", INK),
}


def board_picture(seen: Observation) -> BoardPicture:
    """Draw the board with its chains and lone tiles."""
    cells = tuple(_cell(seen, square) for square in range(len(ROWS) * COLUMNS))
    return BoardPicture(COLUMNS, len(ROWS), cells)


def _cell(seen: Observation, square: int) -> Cell:
    row, column = divmod(square, COLUMNS)
    value = seen.board[square]
    if value in (EMPTY, LONE_TILE):
        return Cell(column, row, CELL if value == EMPTY else STONE)
    shown = chain(seen.rules, value)
    fill, ink = _COLOURS[shown.name]
    return Cell(column, row, fill, shown.letter, ink)
