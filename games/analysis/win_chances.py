"""Everybody's chance to win over the course of a finished game."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from games.analysis.review_figures import ReviewData, final_shares


@dataclass(frozen=True, slots=True)
class Chances:
    """The share of the win that each side could expect after a log entry; they add up to 1.

    A side is a seat, or a team in a team game.
    """

    after: int
    shares: tuple[float, ...]


def chance_curve(found: ReviewData) -> list[Chances]:
    """The chances from the deal to the end; empty while no assessment tells those of all seats.

    Before the first decision everybody has the same chance. The result comes after the last one, once all
    decisions are assessed.
    """
    seats = len(found.look.seats)
    # Partners have the same chance, that of their team.
    firsts = [team[0] for team in found.look.game.teams] or list(range(seats))
    told = [
        Chances(rated.number, tuple(rated.chances[seat] for seat in firsts))
        for rated in found.assessments
        if len(rated.chances) == seats
    ]
    if not told:
        return []
    result = tuple(final_shares(found.look)) if found.rated == 1.0 else ()
    if result:
        last = found.look.game.version
        told = [*(one for one in told if one.after < last), Chances(last, result)]
    return [Chances(0, (1 / len(firsts),) * len(firsts)), *told]


def chances_after(curve: Sequence[Chances], number: int) -> tuple[float, ...]:
    """The chances after this log entry: those after the last decision until then, () without any."""
    at = bisect_right(curve, number, key=lambda one: one.after)
    return curve[at - 1].shares if at else ()
