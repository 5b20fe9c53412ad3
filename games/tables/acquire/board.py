"""The board for a template: rows of squares with what is on them and what my tiles would do there."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.rules import acquire
from games.rules.acquire import COLUMNS, EMPTY, LONE, ROWS, Effect, Observation

from ..joints import joints
from . import effects
from .names import chain
from .wording import tiles

# The classes of the last tile placed, of what else an entry of the log changed for whoever looks back, and of
# other tiles since the reader last looked.
_NEWS = {"last": "new", "changed": "changed", "unseen": "unseen"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, classes for CSS, what is written on it, its label for screen readers.

    `choose` tells whether it is a button that places a tile of mine; `stop` marks the one tab stop.
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
    fates: dict[int, Effect],
    last: int | None,
    unseen: Collection[int] = (),
    changed: Collection[int] = (),
    *,
    choosing: bool,
) -> list[Row]:
    """The rows of the board.

    `fates` says what each tile of the reader's hand would do, `last` is the square placed last, `unseen` are
    those placed since the reader last looked, `changed` those that look otherwise than one entry of the log
    before, and `choosing` tells whether the reader is to place one now.
    """
    chosen_from = [square for square, fate in fates.items() if choosing and fate.kind in effects.PLAYABLE]
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
    seen: Observation, square: int, fate: Effect | None, news: str, choose: bool, stop: bool
) -> Square:
    value = seen.board[square]
    name = acquire.SQUARE_NAMES[square]
    css = [_NEWS[news]] if news else []
    letter = ""
    if value == LONE:
        css.append("lone")
        label = _("{square}, lone tile").format(square=name)
        if square == seen.tile:
            label = _("{square}, the tile just placed").format(square=name)
    elif value != EMPTY:
        shown = chain(seen.rules, value)
        letter = shown.letter
        css += ["in-chain", shown.css, *joints(seen.board, square, COLUMNS)]
        label = _("{square}, {chain}, {tiles}").format(
            square=name, chain=shown.label, tiles=tiles(seen.size[value])
        )
    elif fate:
        letter = effects.mark(seen, fate)
        css += ["mine"] if fate.kind in effects.PLAYABLE else ["mine", "idle"]
        label = _("{square}, your tile: {effect}").format(square=name, effect=effects.short(seen, fate))
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
