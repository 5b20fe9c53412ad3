"""The board as a picture without style sheets."""

from typing import Final

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, ROWS
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.chain_names import chain
from games.web.presenters.board_drawing import INK, STONE, SUNKEN, WHITE, BoardPicture, Cell

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


# A board in the middle of a game, by the letters of the chains; "o" is a lone tile.
_SAMPLE: Final = """
....WW......
.o..WW..o...
....W.......
.AAA.....FF.
..A.....FFFF
o.......F...
...o.TT.....
..........C.
.o....o..CC.
"""
_SAMPLE_CHAINS: Final = {name[0].upper(): name for name in _COLOURS}


def sample_picture() -> BoardPicture:
    """Draw a board for people who do not know the game."""
    marks = "".join(_SAMPLE.split())
    return _picture(tuple(_sample_cell(square, mark) for square, mark in enumerate(marks)))


def board_picture(seen: Observation) -> BoardPicture:
    """Draw the board with its chains and lone tiles."""
    cells = tuple(_cell(seen, square) for square in range(len(ROWS) * COLUMNS))
    return _picture(cells)


def _picture(cells: tuple[Cell, ...]) -> BoardPicture:
    columns = tuple(str(column) for column in range(1, COLUMNS + 1))
    return BoardPicture(COLUMNS, len(ROWS), cells, columns, tuple(ROWS))


def chain_colours(name: str) -> tuple[str, str]:
    """The colours of a chain and of its letter."""
    return _COLOURS[name]


def _cell(seen: Observation, square: int) -> Cell:
    row, column = divmod(square, COLUMNS)
    value = seen.board[square]
    if value in (EMPTY, LONE_TILE):
        return Cell(column, row, SUNKEN if value == EMPTY else STONE)
    shown = chain(seen.rules, value)
    fill, ink = _COLOURS[shown.name]
    return Cell(column, row, fill, shown.letter, ink, joins=True)


def _sample_cell(square: int, mark: str) -> Cell:
    row, column = divmod(square, COLUMNS)
    if mark not in _SAMPLE_CHAINS:
        return Cell(column, row, STONE if mark == "o" else SUNKEN)
    fill, ink = _COLOURS[_SAMPLE_CHAINS[mark]]
    return Cell(column, row, fill, mark, ink, joins=True)
