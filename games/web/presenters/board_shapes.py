"""The board as shapes: a well for each empty square, and one outline with round corners for each chain."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString

# Lengths in a drawing, where a square is 100 wide: shapes end a little before the edge of their squares.
SQUARE: Final = 100
INSET: Final = 5
OUTER_RADIUS, INNER_RADIUS = 15, 9
# A well is this path, drawn with a pen of this width, which rounds its corners; see board.css.
_WELL: Final = "h68v68h-68z"
_WELL_INSET: Final = 16
# The ring round a square, in the middle of its pen.
_RING: Final = f'width="{SQUARE}" height="{SQUARE}" rx="{OUTER_RADIUS}"'
# Lines across a square, which go on in its neighbours.
_HATCHING: Final = "m8 28l20 -20m-20 50l50 -50m-50 80l80 -80m-60 84l64 -64m-34 64l34 -34"
# Pieces of these classes never join.
_APART: Final = frozenset({"lone", "park"})

Point = tuple[int, int]
# The side of a square, clockwise: the corner where it begins, and its direction.
Side = tuple[Point, Point]

_EAST, _SOUTH, _WEST, _NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)
# For each side of a square: its direction, where the neighbour beyond it lies, and where it begins.
_SIDES: Final = (
    (_EAST, _NORTH, (0, 0)),
    (_SOUTH, _EAST, (1, 0)),
    (_WEST, _SOUTH, (1, 1)),
    (_NORTH, _WEST, (0, 1)),
)


class Corner(NamedTuple):
    """A corner in the drawing, and the curve that cuts it off.

    The curve begins at the corner minus `before`, and ends at the corner plus `after`.
    """

    x: int
    y: int
    before: Point
    after: Point


def board_svg(columns: int, pieces: Iterable[str]) -> SafeString:
    """Return an SVG of the board, without letters.

    `pieces` are the CSS classes of what lies on each square, "" where nothing does. Neighbours of one class
    are one shape, except lone tiles and parks.
    """
    return _svg(columns, tuple(pieces))


def outcome_svg(
    columns: int, rows: int, answer: str, joined: Iterable[int], defunct: Iterable[int]
) -> SafeString:
    """Return an SVG to lie above the board while this answer is chosen; hidden until then.

    It has a dashed line round the `joined` squares, and hatching on those of chains that would go defunct.
    """
    line = outline(frozenset((square % columns, square // columns) for square in joined))
    hatching = _repeated([(square % columns, square // columns) for square in defunct], _HATCHING)
    size = f"{columns * SQUARE} {rows * SQUARE}"
    return SafeString(
        f'<svg class="outcome" data-outcome="{escape(answer)}" viewBox="0 0 {size}" aria-hidden="true" '
        f"hidden>{_path('hatching', hatching)}{_path('joined', [line])}</svg>"
    )


def better_svg(
    columns: int,
    rows: int,
    joined: Iterable[int] = (),
    defunct: Iterable[int] = (),
    square: int | None = None,
) -> SafeString:
    """Return an SVG to lie above the board that shows what a better move was about.

    It has a dashed line round the `joined` squares, hatching on those of chains that go defunct, and a dashed
    square where a tile was to be placed.
    """
    line = outline(frozenset((one % columns, one // columns) for one in joined))
    hatching = _repeated([(one % columns, one // columns) for one in defunct], _HATCHING)
    tile = ""
    if square is not None:
        tile = (
            f'<rect class="tile" x="{square % columns * SQUARE}" y="{square // columns * SQUARE}" {_RING}/>'
        )
    size = f"{columns * SQUARE} {rows * SQUARE}"
    return SafeString(
        f'<svg class="outcome better" viewBox="0 0 {size}" aria-hidden="true">'
        f"{_path('hatching', hatching)}{_path('joined', [line])}{tile}</svg>"
    )


def mini_board_svg(
    columns: int, pieces: Iterable[str], last: int | None, patterns: Mapping[str, str]
) -> SafeString:
    """Return the same with a ring round the square `last`, and what readers without colours need.

    `patterns` are paths by class: each is drawn on every square of the class, from the square's corner, for
    readers who have asked for patterns.
    """
    return _svg(columns, tuple(pieces), last, tuple(patterns.items()))


# Everybody at a table sees the same board.
@lru_cache(maxsize=512)
def _svg(
    columns: int, pieces: tuple[str, ...], last: int | None = None, patterns: tuple[tuple[str, str], ...] = ()
) -> SafeString:
    squares = defaultdict(list)
    for square, piece in enumerate(pieces):
        squares[piece].append((square % columns, square // columns))
    size = f"{columns * SQUARE} {len(pieces) // columns * SQUARE}"
    wells = _path("wells", map(_well, squares.pop("", ())))
    shapes = "".join(_path(piece, _outlines(squares[piece], piece in _APART)) for piece in sorted(squares))
    marks = "".join(
        _path(f"pattern {piece}", _repeated(squares[piece], path))
        for piece, path in patterns
        if piece in squares
    )
    return SafeString(
        f'<svg class="shapes" viewBox="0 0 {size}" aria-hidden="true">'
        f"{wells}{shapes}{marks}{_ring(columns, last)}</svg>"
    )


def _repeated(squares: Iterable[Point], path: str) -> Iterator[str]:
    return (f"M{x * SQUARE} {y * SQUARE}{path}" for x, y in squares)


def _ring(columns: int, last: int | None) -> str:
    if last is None:
        return ""
    return f'<rect class="ring" x="{last % columns * SQUARE}" y="{last // columns * SQUARE}" {_RING}/>'


def _path(css: str, parts: Iterable[str]) -> str:
    return f'<path class="{css}" d="{"".join(parts)}"/>'


def _well(square: Point) -> str:
    x, y = square
    return f"M{x * SQUARE + _WELL_INSET} {y * SQUARE + _WELL_INSET}{_WELL}"


def _outlines(squares: Sequence[Point], apart: bool) -> Iterator[str]:
    groups = ({square} for square in squares) if apart else (squares,)
    return (outline(frozenset(group)) for group in groups)


# A move changes one chain or two.
@lru_cache(maxsize=4096)
def outline(squares: frozenset[Point]) -> str:
    """Return the path round these squares in the language of SVG."""
    return "".join(map(_rounded, corners(squares)))


def corners(squares: Collection[Point]) -> list[list[Corner]]:
    """Return the corners of each line round these squares, in its order; a line round a hole runs backwards.

    Squares that only touch at a corner stay apart.
    """
    sides = {
        ((x + dx, y + dy), way)
        for x, y in squares
        for way, (right, down), (dx, dy) in _SIDES
        if (x + right, y + down) not in squares
    }
    return [_corners_of(loop) for loop in _loops(sides)]


def _loops(sides: set[Side]) -> Iterator[list[Side]]:
    """Sort the sides into loops, each in the order in which it is drawn."""
    left = set(sides)
    while left:
        first = side = min(left)
        loop: list[Side] = []
        while not loop or side != first:
            loop.append(side)
            side = _following(side, sides)
        left.difference_update(loop)
        yield loop


def _following(side: Side, sides: set[Side]) -> Side:
    (x, y), (dx, dy) = side
    end = (x + dx, y + dy)
    # To the right first: where two squares touch at a corner, that is the side of the same square.
    ways = (_right_of((dx, dy)), (dx, dy), (dy, -dx))
    return next((end, way) for way in ways if (end, way) in sides)


def _corners_of(loop: list[Side]) -> list[Corner]:
    sides = zip([loop[-1], *loop[:-1]], loop, strict=True)
    return [_corner(start, before, after) for (_, before), (start, after) in sides if before != after]


def _corner(start: Point, before: Point, after: Point) -> Corner:
    x, y = start
    radius = OUTER_RADIUS if after == _right_of(before) else INNER_RADIUS
    # The inside is on the right of both sides.
    return Corner(
        x * SQUARE - INSET * (before[1] + after[1]),
        y * SQUARE + INSET * (before[0] + after[0]),
        (radius * before[0], radius * before[1]),
        (radius * after[0], radius * after[1]),
    )


def _rounded(loop: list[Corner]) -> str:
    last = loop[-1]
    return f"M{last.x + last.after[0]} {last.y + last.after[1]}{''.join(map(_turn, loop))}z"


def _turn(corner: Corner) -> str:
    """Draw a line to the curve of this corner, and the curve."""
    (dx, dy), (to_x, to_y) = corner.before, corner.after
    line = f"H{corner.x - dx}" if dx else f"V{corner.y - dy}"
    return f"{line}q{dx} {dy} {dx + to_x} {dy + to_y}"


def _right_of(way: Point) -> Point:
    return (-way[1], way[0])
