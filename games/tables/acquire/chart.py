"""The course of a game as a drawing: everybody's worth after each turn, in SVG coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..people import money

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 72, 118, 12, 30
_STEPS = (1, 2, 5)
_GRID_LINES = 6
_LABEL_HEIGHT = 18


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's line: its points for a polyline, and its name beside the last one."""

    seat: int
    name: str
    points: str
    label_y: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: its place and its label."""

    at: int
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: int
    right: int
    bottom: int
    label_x: int
    lines: tuple[Line, ...]
    dollars: tuple[Tick, ...]
    turns: tuple[Tick, ...]


def chart(names: Sequence[str], worth: Sequence[Sequence[int]]) -> Chart:
    """The chart of `worth[turn][seat]`; there are at least two turns."""
    step = _round_step(max(map(max, worth)) / _GRID_LINES)
    top = -(-max(map(max, worth)) // step) * step
    last = len(worth) - 1

    def x(turn: int) -> int:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * turn / last)

    def y(dollars: int) -> int:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * dollars / top)

    ends = _apart([y(dollars) for dollars in worth[-1]])
    lines = tuple(
        Line(seat, name, " ".join(f"{x(turn)},{y(row[seat])}" for turn, row in enumerate(worth)), ends[seat])
        for seat, name in enumerate(names)
    )
    every = max(1, _round_step(last / _GRID_LINES))
    return Chart(
        WIDTH,
        HEIGHT,
        LEFT,
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        WIDTH - RIGHT + 8,
        lines,
        tuple(Tick(y(dollars), money(dollars)) for dollars in range(0, top + 1, step)),
        tuple(Tick(x(turn), str(turn)) for turn in range(0, last + 1, every)),
    )


def _round_step(rough: float) -> int:
    """The first of 1, 2, 5, 10, 20, … that is not below."""
    power = 1
    while True:
        for step in _STEPS:
            if step * power >= rough:
                return step * power
        power *= 10


def _apart(places: Sequence[int]) -> list[int]:
    """The places of the labels, moved apart so that none covers another, and kept inside the drawing."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, here in pairwise(order):
        moved[here] = max(moved[here], moved[before] + _LABEL_HEIGHT)
    lowest = HEIGHT - BOTTOM
    for here in reversed(order):
        moved[here] = min(moved[here], lowest)
        lowest = moved[here] - _LABEL_HEIGHT
    return moved
