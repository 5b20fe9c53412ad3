"""A whole board as a drawing with letters on its chains, without squares to press."""

from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.web.presenters.board_drawing import WHITE, BoardPicture, Cell
from games.web.presenters.board_shapes import SQUARE

# The base line of a letter in its square.
_BASE: Final = 68


def lettered_board(table: ModuleType, seen: Any, entries: Any = (), tiles: Iterable[int] = ()) -> SafeString:
    """Return the small board of a presenter with letters, and a ring round the tile placed last.

    `tiles` are squares of the reader's tiles, which bear their names.
    """
    picture = table.board_picture(seen)
    letters = format_html_join(
        "",
        '<text class="{}" x="{}" y="{}">{}</text>',
        ((_css(cell), *_place(cell), cell.letter) for cell in picture.cells if cell.letter),
    )
    return format_html(
        '{}<svg class="letters" viewBox="0 0 {} {}" aria-hidden="true">{}{}</svg>',
        table.mini_board(seen, entries),
        picture.columns * SQUARE,
        picture.rows * SQUARE,
        letters,
        format_html_join("", "{}", ((_tile(picture, square),) for square in tiles)),
    )


def _tile(picture: BoardPicture, square: int) -> SafeString:
    row, column = divmod(square, picture.columns)
    return format_html(
        '<rect class="my-tile" x="{}" y="{}" width="84" height="84" rx="14"/>'
        '<text class="tile-name" x="{}" y="{}">{}{}</text>',
        column * SQUARE + 8,
        row * SQUARE + 8,
        column * SQUARE + SQUARE // 2,
        row * SQUARE + _BASE - 5,
        picture.column_names[column],
        picture.row_names[row],
    )


def _place(cell: Cell) -> tuple[int, int]:
    return cell.column * SQUARE + SQUARE // 2, cell.row * SQUARE + _BASE


def _css(cell: Cell) -> str:
    return "light" if cell.ink == WHITE else "dark"
