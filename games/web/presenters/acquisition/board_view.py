"""Rows of squares for the board's template."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, PARK, ROWS, SIDE, SQUARE_NAMES, group
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.state import LARGE
from games.web.presenters.acquisition.material_names import building, material
from games.web.presenters.square_edges import edge_classes
from games.web.presenters.table_people import TablePeople

# CSS classes of the piece placed last, of squares changed by the entry of a past position, and of pieces
# placed since the reader's last visit.
_NEWS = {"last": "new", "changed": "changed", "unseen": "unseen"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, CSS classes, the letter on it, and its label for screen readers.

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
        css += ["built", shown.css, *edge_classes(seen.board, square, SIDE), *_group(seen, square)]
        told = _tile(seen, people, square)
    name = SQUARE_NAMES[square]
    label = _("{square}, {what}").format(square=name, what=told)
    if news == "last":
        label = _("{square}; placed last").format(square=label)
    elif news == "changed":
        label = _("{square}; changed just now").format(square=label)
    elif news:
        label = _("{square}; placed since you last looked").format(square=label)
    row, column = divmod(square, SIDE)
    return Square(name, column, row, " ".join(css), letter, label, choosing and is_open, stop)


def _empty(seen: Observation, square: int, is_open: bool, choosing: bool) -> str:
    if seen.ended or (is_open and not choosing):
        return _("empty")
    if is_open:
        return _("empty, open to you")
    if seen.parks:
        return _("empty; the last park may not go here, the parks would be symmetrical")
    size = len(group(seen.board, square))
    return _("empty; closed, as a tile would make a group of {n}").format(n=size)


def _tile(seen: Observation, people: TablePeople, square: int) -> str:
    owner = seen.board[square] - 1
    text = (
        _("your {material}, {building}") if owner == people.reader else _("{material} of {owner}, {building}")
    )
    what = text.format(
        material=material(owner).label,
        owner=people[owner].name,
        building=building(len(connected(seen.board, square))),
    )
    if seen.tile >= 0 and square in seen.group:
        return _("{what}; a buyout is asked").format(what=what)
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
