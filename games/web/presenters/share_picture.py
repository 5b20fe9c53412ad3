"""A picture of a finished game to share: the board as shapes, the standings as boxes and lines of text."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.web.presenters.board_drawing import DIM, GROUND, INK, LINE, SURFACE, BoardPicture, Cell
from games.web.presenters.board_shapes import SQUARE, Point, outline

# The size that sites expect of link previews, in pixels.
WIDTH, HEIGHT = 1200, 630
_EDGE: Final = 40
_BOARD_WIDTH, _BOARD_HEIGHT = 720, HEIGHT - 2 * _EDGE
_TEXT: Final = 2 * _EDGE + _BOARD_WIDTH - 10
_RIGHT: Final = WIDTH - _EDGE

_TITLE_LINES: Final = 2

# Letters that are narrower or wider than others; `_width` errs on the wide side.
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/- ")
_WIDE: Final = frozenset("mwMW@%&…⚙—")
_BEGINS_WIDE_SCRIPTS: Final = "\u2e80"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings."""

    rank: int
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    x: int
    y: int
    width: int
    height: int
    fill: str
    corner: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Squares of a board that have one outline, and their colour."""

    fill: str
    squares: tuple[Point, ...]

    @property
    def path(self) -> str:
        return outline(frozenset(self.squares))


@dataclass(frozen=True, slots=True)
class Board:
    """Where the board lies, in pixels, and its shapes."""

    x: int
    y: int
    side: int
    columns: int
    rows: int
    shapes: tuple[Shape, ...]

    @property
    def width(self) -> int:
        return self.columns * self.side

    @property
    def height(self) -> int:
        return self.rows * self.side

    @property
    def view_box(self) -> str:
        """The same size in the units of its shapes."""
        return f"0 0 {self.columns * SQUARE} {self.rows * SQUARE}"


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; its `anchor` ("start", "middle" or "end") lies at the given point of the base line."""

    x: int
    y: int
    size: int
    text: str
    fill: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of this size; `description` is its text alternative."""

    width: int
    height: int
    description: str
    board: Board
    boxes: tuple[Box, ...]
    labels: tuple[Label, ...]


def picture(title: str, rules: str, board: BoardPicture, places: Sequence[Place], said: str) -> Picture:
    """Draw the board on the left, and the title, the rules and the standings on the right.

    `said` is the description in words.
    """
    size = min(_BOARD_WIDTH // board.columns, _BOARD_HEIGHT // board.rows)
    left = _EDGE + (_BOARD_WIDTH - size * board.columns) // 2
    top = (HEIGHT - size * board.rows) // 2
    drawn = Board(left, top, size, board.columns, board.rows, _shapes(board.cells))
    boxes = [Box(0, 0, WIDTH, HEIGHT, GROUND, 0)]
    labels = [_letter(cell, left, top, size) for cell in board.cells if cell.letter]
    y = 84
    for line in _lines(title):
        labels.append(Label(_TEXT, y, 28, line, INK))
        y += 36
    labels.append(Label(_TEXT, y, 20, _cut(rules, 20, _RIGHT - _TEXT), DIM))
    y += 36
    for place in places:
        boxes.append(Box(_TEXT, y, _RIGHT - _TEXT, 48, SURFACE, 8))
        boxes.append(Box(_TEXT, y + 47, _RIGHT - _TEXT, 1, LINE, 0))
        labels.append(Label(_TEXT + 12, y + 32, 22, f"{place.rank}.", DIM))
        room = _RIGHT - _TEXT - 66 - round(_width(place.score, 22))
        labels.append(Label(_TEXT + 44, y + 32, 22, _cut(place.name, 22, room), INK))
        labels.append(Label(_RIGHT - 12, y + 32, 22, place.score, INK, "end"))
        y += 56
    return Picture(WIDTH, HEIGHT, said, drawn, tuple(boxes), tuple(labels))


def _shapes(cells: Iterable[Cell]) -> tuple[Shape, ...]:
    """The shapes of a board: all cells that join by colour, each other cell by itself."""
    joined = defaultdict(list)
    for cell in cells:
        place = (cell.column, cell.row)
        joined[cell.fill, None if cell.joins else place].append(place)
    return tuple(Shape(fill, tuple(squares)) for (fill, _alone), squares in joined.items())


def _letter(cell: Cell, left: int, top: int, size: int) -> Label:
    x, y = left + cell.column * size + size // 2, top + cell.row * size + size // 2
    letters = size // 2
    return Label(x, y + letters * 3 // 8, letters, cell.letter, cell.ink, "middle")


def _width(text: str, size: int) -> float:
    """The approximate width of the text, in pixels."""
    return size * sum(
        0.42 if letter in _NARROW else 1.0 if letter in _WIDE or letter >= _BEGINS_WIDE_SCRIPTS else 0.68
        for letter in text
    )


def _cut(text: str, size: int, room: int) -> str:
    """Shorten the text to this many pixels."""
    if _width(text, size) <= room:
        return text
    while text and _width(f"{text}…", size) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


def _lines(title: str) -> list[str]:
    """The title, broken into as many lines as are allowed."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, 28) > _RIGHT - _TEXT and lines[-1] and len(lines) < _TITLE_LINES:
            lines.append(word)
        else:
            lines[-1] = longer
    return [_cut(line, 28, _RIGHT - _TEXT) for line in lines]
