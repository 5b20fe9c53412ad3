"""Rows of squares for the board's template."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, ROWS, SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import chain
from games.web.presenters.board_shapes import board_svg, mini_board_svg

# CSS classes of the last tile placed, of squares changed by the entry of a past position, and of tiles placed
# since the reader's last visit.
_NEWS = {"last": "new", "changed": "changed", "unseen": "unseen"}
# CSS classes of what lies on a square, by the value of the square.
_PIECES: Final = {EMPTY: "", LONE_TILE: "lone"} | {
    number: f"chain-{name}" for name, number in CHAIN_BY_NAME.items()
}
# Stripes, dots and grids on a square of each chain, as the style sheet gives them to the squares of a table.
_PATTERNS: Final = {
    "chain-american": "m8 50 42-42m0 84 42-42",
    "chain-continental": "m8 33h84m0 34h-84",
    "chain-festival": "m30 30h.1m40 0h.1m0 40h.1m-40 0h.1",
    "chain-imperial": "m33 8v84m34 0v-84",
    "chain-luxor": "m50 8 42 42m-84 0 42 42",
    "chain-tower": "m50 8v84m-42-42h84",
    "chain-worldwide": "m12 12 76 76m0-76-76 76",
}
_PIECE_OF_LETTER: Final = {"o": "lone"} | {name[0].upper(): f"chain-{name}" for name in CHAIN_BY_NAME}


@dataclass(frozen=True, slots=True)
class Square:
    """A square: its name, CSS classes, the letter on it, and its label for screen readers.

    With `choose` it is a button that places a tile of the reader; `stop` marks the only tab stop.
    """

    name: str
    column: int
    row: int
    css: str
    letter: str
    label: str
    choose: bool
    stop: bool


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    squares: tuple[Square, ...]


def shapes(seen: Observation) -> SafeString:
    """The drawing of chains and lone tiles, which lies below the squares."""
    return board_svg(COLUMNS, (_PIECES[value] for value in seen.board))


def small_shapes(seen: Observation, last: int | None) -> SafeString:
    """The same for a small board without squares: it marks the tile placed last itself."""
    return mini_board_svg(COLUMNS, (_PIECES[value] for value in seen.board), last, _PATTERNS)


def figure(*rows: str) -> SafeString:
    """The same for a part of a board, given by the letters of the chains; "o" is a lone tile."""
    return board_svg(len(rows[0]), (_PIECE_OF_LETTER.get(letter, "") for letter in "".join(rows)))


def board(
    seen: Observation,
    fates: dict[int, TileEffect],
    last: int | None,
    unseen: Collection[int] = (),
    changed: Collection[int] = (),
    *,
    choosing: bool,
) -> list[Row]:
    """The rows of the board.

    `fates` are the effects of the reader's tiles, `last` is the square placed last, `unseen` are those placed
    since the reader's last visit, `changed` those that differ from one log entry before, and `choosing` means
    that the reader is to place a tile now.
    """
    chosen_from = [
        square for square, fate in fates.items() if choosing and fate.kind in tile_effect_text.PLAYABLE
    ]
    stop = min(chosen_from, default=0)
    return [
        Row(
            name,
            tuple(
                _square(
                    seen,
                    square,
                    fates.get(square),
                    _news(square, last, unseen, changed),
                    square in chosen_from,
                    square == stop,
                )
                for square in range(row * COLUMNS, (row + 1) * COLUMNS)
            ),
        )
        for row, name in enumerate(ROWS)
    ]


def _stripe(fate: TileEffect) -> list[str]:
    """The CSS classes of the chain that a tile would grow, or of two that it would merge."""
    if fate.kind == "grows":
        return ["grows", f"chain-{CHAIN_NAMES[fate.chains[0]]}"]
    if fate.kind == "merges":
        survivor, other = fate.chains[:2]
        return ["merges", f"chain-{CHAIN_NAMES[survivor]}", f"from-{CHAIN_NAMES[other]}"]
    return []


def _news(square: int, last: int | None, unseen: Collection[int], changed: Collection[int]) -> str:
    if square == last:
        return "last"
    return "changed" if square in changed else "unseen" if square in unseen else ""


def _square(
    seen: Observation, square: int, fate: TileEffect | None, news: str, choose: bool, stop: bool
) -> Square:
    value = seen.board[square]
    name = SQUARE_NAMES[square]
    css = [_NEWS[news]] if news else []
    letter = ""
    if value == LONE_TILE:
        css.append("lone")
        label = _("{square}, lone tile").format(square=name)
        if square == seen.tile:
            label = _("{square}, last tile placed").format(square=name)
    elif value != EMPTY:
        shown = chain(seen.rules, value)
        letter = shown.letter
        css += ["in-chain", shown.css]
        text = ngettext("{square}, {chain}, {n} tile", "{square}, {chain}, {n} tiles", seen.size[value])
        label = text.format(square=name, chain=shown.label, n=seen.size[value])
    elif fate:
        letter = tile_effect_text.mark(seen, fate)
        css += ["mine", *_stripe(fate)] if fate.kind in tile_effect_text.PLAYABLE else ["mine", "idle"]
        label = _("{square}, your tile: {effect}").format(
            square=name, effect=tile_effect_text.short(seen, fate)
        )
    else:
        label = _("{square}, empty").format(square=name)
    if news == "last":
        label = _("{square}, last tile placed").format(square=label)
    elif news == "changed":
        label = _("{square}, just changed").format(square=label)
    elif news:
        label = _("{square}, placed since your last visit").format(square=label)
    row, column = divmod(square, COLUMNS)
    return Square(name, column, row, " ".join(css), letter, label, choose, stop)
