"""A whole board as a drawing with letters on its chains, without squares to press."""

from types import ModuleType
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.web.presenters.board_drawing import WHITE, Cell
from games.web.presenters.board_shapes import SQUARE

# The base line of a letter in its square.
_BASE: Final = 68


def lettered_board(table: ModuleType, seen: Any, entries: Any = ()) -> SafeString:
    """Return the small board of a presenter with letters, and a ring round the tile placed last."""
    picture = table.board_picture(seen)
    letters = format_html_join(
        "",
        '<text class="{}" x="{}" y="{}">{}</text>',
        ((_css(cell), *_place(cell), cell.letter) for cell in picture.cells if cell.letter),
    )
    return format_html(
        '{}<svg class="letters" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>',
        table.mini_board(seen, entries),
        picture.columns * SQUARE,
        picture.rows * SQUARE,
        letters,
    )


def _place(cell: Cell) -> tuple[int, int]:
    return cell.column * SQUARE + SQUARE // 2, cell.row * SQUARE + _BASE


def _css(cell: Cell) -> str:
    return "light" if cell.ink == WHITE else "dark"
