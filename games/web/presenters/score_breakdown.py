"""Tables that break down the final points of each seat."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A table with a column for each seat.

    It has a heading, a sentence about it, named rows of points, and the sums, if any. Points stand beside the
    name of their seat.
    """

    heading: str
    note: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    sums: tuple[tuple[str, str], ...]


def breakdown(
    heading: str,
    note: str,
    names: Sequence[str],
    parts: Sequence[str],
    points: Iterable[Sequence[int]],
    amount: Callable[[int], str],
    *,
    adds_up: bool = True,
) -> ScoreBreakdown:
    """Tabulate `points`: by seat, the points for each part. Parts that nobody has points for are left out.

    With `adds_up` the sums are part of the final score and are shown.
    """
    by_seat = list(points)
    rows = [(part, [own[at] for own in by_seat]) for at, part in enumerate(parts)]

    def named(row: Iterable[int]) -> tuple[tuple[str, str], ...]:
        return tuple(zip(names, map(amount, row), strict=True))

    return ScoreBreakdown(
        heading,
        note,
        tuple(names),
        tuple((part, named(row)) for part, row in rows if any(row)),
        named(map(sum, by_seat)) if adds_up else (),
    )
