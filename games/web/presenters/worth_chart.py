"""A chart of everybody's worth after each turn, in SVG coordinates.

Lines differ not only in colour: each seat has dashes and marks of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.web.presenters.table_people import money

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 72, 118, 12, 30
_STEPS = (1, 2, 5)
_GRID_LINES = 6
_LABEL_HEIGHT = 18
# The number of marks on a line; each seat has them at different turns.
_MARKS = 9

# Shapes of the marks by seat, drawn around their point: a disc, a square, a diamond, two triangles and a
# cross.
_SHAPES = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-4-4h8v8h-8z",
    "m0-5l5 5l-5 5l-5-5z",
    "m0-5l5 8.5h-10z",
    "m0 5l5-8.5h-10z",
    "m-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
)


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's line: its points for a polyline, the path of its marks, and the place of its label."""

    seat: int
    name: str
    points: str
    marks: str
    label_y: int
    sample: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: its place and its label."""

    at: int
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of this size, with the edges of its grid."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    label_x: int
    lines: tuple[Line, ...]
    amounts: tuple[Tick, ...]
    turns: tuple[Tick, ...]


def chart(
    names: Sequence[str], worth: Sequence[Sequence[int]], amount: Callable[[int], str] = money
) -> Chart:
    """Draw `worth[turn][seat]`, of at least two turns; `amount` formats the points."""
    most = max(1, *map(max, worth))
    step = _round_step(most / _GRID_LINES)
    top = -(-most // step) * step
    last = len(worth) - 1

    def x(turn: int) -> int:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * turn / last)

    def y(dollars: int) -> int:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * dollars / top)

    def line(seat: int, name: str) -> Line:
        places = [(x(turn), y(row[seat])) for turn, row in enumerate(worth)]
        points = " ".join(f"{across},{down}" for across, down in places)
        shape = _SHAPES[seat % len(_SHAPES)]
        marks = "".join(f"M{across} {down}{shape}" for across, down in _marked(places, seat))
        end = ends[seat]
        return Line(seat, name, points, marks, end, f"M{WIDTH - RIGHT + 8} {end}{shape}")

    ends = _apart([y(points) for points in worth[-1]])
    lines = tuple(line(seat, name) for seat, name in enumerate(names))
    every = max(1, _round_step(last / _GRID_LINES))
    return Chart(
        WIDTH,
        HEIGHT,
        LEFT,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        WIDTH - RIGHT + 16,
        lines,
        tuple(Tick(y(points), amount(points)) for points in range(0, top + 1, step)),
        tuple(Tick(x(turn), str(turn)) for turn in range(0, last + 1, every)),
    )


def _marked(places: Sequence[tuple[int, int]], seat: int) -> list[tuple[int, int]]:
    """Some of the places, different ones for each seat."""
    every = max(1, len(places) // _MARKS)
    return list(places[seat * every // len(_SHAPES) :: every])


def _round_step(rough: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is at least `rough`."""
    power = 1
    while True:
        for step in _STEPS:
            if step * power >= rough:
                return step * power
        power *= 10


def _apart(places: Sequence[int]) -> list[int]:
    """Move labels apart so that they do not overlap, and keep them inside the drawing."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, here in pairwise(order):
        moved[here] = max(moved[here], moved[before] + _LABEL_HEIGHT)
    lowest = HEIGHT - BOTTOM
    for here in reversed(order):
        moved[here] = min(moved[here], lowest)
        lowest = moved[here] - _LABEL_HEIGHT
    return moved
