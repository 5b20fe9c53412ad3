"""Everybody's chance to win over the course of a game, in SVG coordinates, and at one moment as a bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH, HEIGHT = 600, 150
# Share of the bar, in per cent, from which a number fits into its part, and a number with a name.
_FITS_NUMBER: Final = 9
_FITS_NAME: Final = 24
# Width of a letter of a name on the narrowest phone, in per cent of the bar.
_PER_LETTER: Final = 3.4


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a seat: a path from the lower edge of the chart to the top of the seat's share."""

    seat: int
    path: str


@dataclass(frozen=True, slots=True)
class Part:
    """A seat's part of the bar, in per cent, with the place and text of its label."""

    seat: int
    start: float
    width: float
    middle: float
    label: str


@dataclass(frozen=True, slots=True)
class ChanceChart:
    """A drawing of this size. Areas cover each other, so they are drawn in this order."""

    width: int
    height: int
    areas: tuple[Area, ...]


def chance_chart(places: Sequence[int], shares: Sequence[Sequence[float]]) -> ChanceChart:
    """Draw `shares[at][seat]`, of at least one moment, at these places from left to right."""
    seats = range(len(shares[0]))
    tops = [[_down(sum(row[: seat + 1])) for row in shares] for seat in seats]
    return ChanceChart(
        WIDTH, HEIGHT, tuple(Area(seat, _path(places, tops[seat])) for seat in reversed(seats))
    )


def chance_bar(shares: Sequence[float], names: Sequence[str]) -> tuple[Part, ...]:
    """The parts of a bar with these shares from left to right, each labelled with as much as fits."""
    parts, start = [], 0.0
    for seat, (share, name) in enumerate(zip(shares, names, strict=True)):
        width = 100 * share
        label = str(round(width)) if width >= _FITS_NUMBER else ""
        if width >= _FITS_NAME:
            room = int(width / _PER_LETTER)
            label = f"{name if len(name) <= room else f'{name[: room - 1]}…'} {label}"
        parts.append(Part(seat, round(start, 1), round(width, 1), round(start + width / 2, 1), label))
        start += width
    return tuple(parts)


def _down(share: float) -> int:
    return round(HEIGHT * (1 - share))


def _path(places: Sequence[int], tops: Sequence[int]) -> str:
    """A path that stays at each height until the next place."""
    line = "".join(f"L{across} {down}" for across, down in zip(places, tops, strict=True))
    return f"M{places[0]} {HEIGHT}{line}H{WIDTH}V{HEIGHT}z"
