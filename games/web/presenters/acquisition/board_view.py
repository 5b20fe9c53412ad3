"""Rows of squares for the board's template."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, PARK, ROWS, SIDE, SQUARE_NAMES, group
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import MATERIAL_LETTERS, MATERIALS
from games.engine.rules.acquisition.state import LARGE
from games.web.presenters.acquisition.material_names import building, material
from games.web.presenters.board_shapes import board_svg, mini_board_svg
from games.web.presenters.table_people import TablePeople

# CSS classes of the piece placed last, of squares changed by the entry of a past position, and of pieces
# placed since the reader's last visit.
_NEWS = {"last": "new", "changed": "changed", "unseen": "unseen"}
# CSS classes of what lies on a square, by the value of the square and by letter.
_PIECES: Final = {EMPTY: "", PARK: "park"} | {seat + 1: f"of-{name}" for seat, name in enumerate(MATERIALS)}
_PIECE_OF_LETTER: Final = {"P": "park"} | dict(
    zip(MATERIAL_LETTERS, (f"of-{name}" for name in MATERIALS), strict=True)
)


@dataclass(frozen=True, slots=True)
class Square:
    """A square: its name, CSS classes, the letter on it, and its label for screen readers.

    With `choose` it is a button that places a piece of the reader; `stop` marks the only tab stop.
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
    name: int
    squares: tuple[Square, ...]


def shapes(seen: Observation) -> SafeString:
    """The drawing of buildings and parks, which lies below the squares."""
    return board_svg(SIDE, (_PIECES[value] for value in seen.board))


def small_shapes(seen: Observation, last: int | None) -> SafeString:
    """The same for a small board without squares: it marks the piece placed last itself."""
    return mini_board_svg(SIDE, (_PIECES[value] for value in seen.board), last, {})


def figure(*rows: str) -> SafeString:
    """The same for a part of a board, given by the letters of materials and parks."""
    return board_svg(len(rows[0]), (_PIECE_OF_LETTER.get(letter, "") for letter in "".join(rows)))


def board(
    seen: Observation,
    people: TablePeople,
    last: int | None,
    unseen: Collection[int] = (),
    changed: Collection[int] = (),
) -> list[Row]:
    """The rows of the board.

    `last` is the square of the piece placed last, `unseen` are those placed since the reader's last visit,
    `changed` those that differ from one log entry before.
    """
    choosing = people.decides(seen.seat) and bool(seen.legal) and seen.decision.kind in ("park", "place")
    opened = frozenset(seen.open)
    stop = (min(opened) if choosing else last) or 0
    return [
        Row(
            row,
            tuple(
                _square(
                    seen,
                    people,
                    square,
                    square in opened,
                    choosing,
                    news=_news(square, last, unseen, changed),
                    stop=square == stop,
                )
                for square in range((row - 1) * SIDE, row * SIDE)
            ),
        )
        for row in ROWS
    ]


def _news(square: int, last: int | None, unseen: Collection[int], changed: Collection[int]) -> str:
    if square == last:
        return "last"
    return "changed" if square in changed else "unseen" if square in unseen else ""


def _square(
    seen: Observation,
    people: TablePeople,
    square: int,
    is_open: bool,
    choosing: bool,
    *,
    news: str,
    stop: bool,
) -> Square:
    value = seen.board[square]
    css, letter = [_NEWS[news]] if news else [], ""
    if value == EMPTY:
        css += [] if is_open or seen.ended else ["closed"]
        told = _empty(seen, square, is_open, choosing)
    elif value == PARK:
        css.append("park")
        letter, told = _("P"), _("park")
    else:
        shown = material(value - 1)
        letter = shown.letter
        css += ["built", shown.css, *_group(seen, square)]
        told = _tile(seen, people, square)
    name = SQUARE_NAMES[square]
    label = _("{square}, {what}").format(square=name, what=told)
    if news == "last":
        label = _("{square}, last tile placed").format(square=label)
    elif news == "changed":
        label = _("{square}, just changed").format(square=label)
    elif news:
        label = _("{square}, placed since your last visit").format(square=label)
    row, column = divmod(square, SIDE)
    return Square(name, column, row, " ".join(css), letter, label, choosing and is_open, stop)


def _empty(seen: Observation, square: int, is_open: bool, choosing: bool) -> str:
    if seen.ended or (is_open and not choosing):
        return _("empty")
    if is_open:
        return _("empty, open to you")
    if seen.parks:
        return _("empty, closed because the last park would make the parks symmetrical")
    size = len(group(seen.board, square))
    return ngettext(
        "empty, closed because the group would have {n} tile",
        "empty, closed because the group would have {n} tiles",
        size,
    ).format(n=size)


def _tile(seen: Observation, people: TablePeople, square: int) -> str:
    owner = seen.board[square] - 1
    text = (
        _("your {material}, {building}") if owner == people.reader else _("{owner}’s {material}, {building}")
    )
    what = text.format(
        material=material(owner).label,
        owner=people[owner].name,
        building=building(len(connected(seen.board, square))),
    )
    if seen.tile >= 0 and square in seen.group:
        return _("{what}, buyout being decided").format(what=what)
    return _("{what}, settled").format(what=what) if seen.size[square] == LARGE else what


def _group(seen: Observation, square: int) -> list[str]:
    """The CSS classes of a tile in a group of three.

    Adjacent tiles always belong to one group, so its border runs along the sides without a tile.
    """
    if seen.size[square] != LARGE:
        return []
    asked = seen.tile >= 0 and square in seen.group
    row, column = divmod(square, SIDE)
    sides = {
        "n": row > 0 and square - SIDE,
        "e": column < SIDE - 1 and square + 1,
        "s": row < SIDE - 1 and square + SIDE,
        "w": column > 0 and square - 1,
    }
    ends = [f"end-{side}" for side, other in sides.items() if other is False or not seen.size[other]]
    return ["at-stake" if asked else "settled", *ends]


def connected(cells: Sequence[int], square: int) -> list[int]:
    """The squares of the building to which the tile on this square belongs."""
    found = [square]
    for member in found:
        found += [
            other for other in NEIGHBOURS[member] if cells[other] == cells[square] and other not in found
        ]
    return found
