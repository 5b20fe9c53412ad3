"""Rows of squares for the board's template."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, ROWS, SQUARE_NAMES
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import chain
from games.web.presenters.acquire.event_text import tiles
from games.web.presenters.square_edges import edge_classes

# CSS classes of the last tile placed, of squares changed by the entry of a past position, and of tiles placed
# since the reader's last visit.
_NEWS = {"last": "new", "changed": "changed", "unseen": "unseen"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, CSS classes, the letter on it, and its label for screen readers.

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
            label = _("{square}, the tile just placed").format(square=name)
    elif value != EMPTY:
        shown = chain(seen.rules, value)
        letter = shown.letter
        css += ["in-chain", shown.css, *edge_classes(seen.board, square, COLUMNS)]
        label = _("{square}, {chain}, {tiles}").format(
            square=name, chain=shown.label, tiles=tiles(seen.size[value])
        )
    elif fate:
        letter = tile_effect_text.mark(seen, fate)
        css += ["mine"] if fate.kind in tile_effect_text.PLAYABLE else ["mine", "idle"]
        label = _("{square}, your tile: {effect}").format(
            square=name, effect=tile_effect_text.short(seen, fate)
        )
    else:
        label = _("{square}, empty").format(square=name)
    if news == "last":
        label = _("{square}; the last tile placed").format(square=label)
    elif news == "changed":
        label = _("{square}; changed just now").format(square=label)
    elif news:
        label = _("{square}; placed since you last looked").format(square=label)
    row, column = divmod(square, COLUMNS)
    return Square(name, column, row, " ".join(css), letter, label, choose, stop)
