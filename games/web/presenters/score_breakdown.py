"""What the points of each seat are made of at the end."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A table with a column for each seat: a heading, a sentence about it, what each row is called with its
    points by seat, and the sums, where there is one. Points stand beside the name of whose they are.
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
    """The table of `points`, by seat what each of the parts comes to. Parts that nobody has are left out.

    `adds_up` tells whether their sum is one of what the game is won by.
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
