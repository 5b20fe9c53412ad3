"""Estimates and ratings of moves by searching bots."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of one move.

    `chance` is the expected share of the win, from 0 to 1, `lead` the expected lead over the best other
    seat in the score of the game (dollars, large buildings), and `tries` the number of tries. In a team game
    chance and lead are those of the team.
    """

    move: Any
    chance: float
    lead: float
    tries: int


@dataclass(frozen=True, slots=True)
class Rating:
    """The move that was played and the best one found; the same one if none was better.

    `chances` is the share of the win that each seat can expect with the move played; they add up to 1. In
    a team game each seat has the chance of its team, and those of the teams add up to 1.
    `others` are the estimates of all other moves that were considered, the best first.
    """

    best: Estimate
    played: Estimate
    chances: tuple[float, ...] = ()
    others: tuple[Estimate, ...] = ()


def well_tried(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Those that were tried at least half as often as the most tried one, in their order.

    A search drops moves that look bad after a few tries, so what these few say is mostly luck.
    """
    most = max((one.tries for one in estimates), default=0)
    return [one for one in estimates if 2 * one.tries >= most]


def is_clear(differences: Sequence[float]) -> bool:
    """Return whether the mean of these differences is above its standard error."""
    return fmean(differences) > stdev(differences) / sqrt(len(differences))


def shares_of_win(
    chances: Sequence[float], seat: int, own: float, teams: Sequence[Sequence[int]] = ()
) -> tuple[float, ...]:
    """The chances of all seats, scaled so that the seat has its `own` and all of them add up to 1.

    In a team game each seat has the chance of its team, and those of the `teams` add up to 1.
    """
    if teams:
        side_of = {one: side for side, team in enumerate(teams) for one in team}
        of_sides = shares_of_win([chances[team[0]] for team in teams], side_of[seat], own)
        return tuple(of_sides[side_of[one]] for one in range(len(chances)))
    own = min(1.0, max(0.0, own))
    elsewhere = sum(chances) - chances[seat]
    if elsewhere <= 0:
        return tuple(own if at == seat else (1 - own) / (len(chances) - 1) for at in range(len(chances)))
    scale = (1 - own) / elsewhere
    return tuple(own if at == seat else chance * scale for at, chance in enumerate(chances))
