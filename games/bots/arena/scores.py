"""What the games of a match add up to."""

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt
from typing import Final

from .matches import Match, Result

# 95 % of a normal distribution lie within so many standard deviations.
DEVIATIONS: Final = 1.959964


@dataclass(frozen=True)
class Score:
    """How one player did, in all the seats it had.

    `share` is its share of the wins, from 0 to 1, `low` and `high` the 95 % interval around it, and
    `parity` what it would be if all players were equally strong. `mean_money` is in dollars a seat.
    `ms_mean` and `ms_max` are milliseconds a decision with more than one legal move; `capped` of these
    `decisions` ended because the time was up.
    """

    player: str
    games: int
    share: float
    low: float
    high: float
    parity: float
    mean_money: float
    ms_mean: float
    ms_max: float
    decisions: int
    capped: int


def scores(match: Match, results: Collection[Result]) -> list[Score]:
    """A score for each different player of the match, in its order. At least one game must be played."""
    return [_score(name, match, results) for name in dict.fromkeys(match.players)]


def _score(name: str, match: Match, results: Collection[Result]) -> Score:
    seats = [(result, seat) for result in results for seat, who in enumerate(result.players) if who == name]
    games = len(results)
    wins = sum(result.won[seat] for result, seat in seats)
    low, high = wilson(wins, games)
    decisions = sum(result.decisions[seat] for result, seat in seats)
    return Score(
        player=name,
        games=games,
        share=wins / games,
        low=low,
        high=high,
        parity=match.players.count(name) / len(match.players),
        mean_money=sum(result.money[seat] for result, seat in seats) / len(seats),
        ms_mean=1000 * sum(result.seconds[seat] for result, seat in seats) / max(1, decisions),
        ms_max=1000 * max(result.slowest[seat] for result, seat in seats),
        decisions=decisions,
        capped=sum(result.capped[seat] for result, seat in seats),
    )


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of Wilson's score for so many wins, whole or shared ones, in so many games."""
    share, part = wins / games, DEVIATIONS**2 / games
    centre = (share + part / 2) / (1 + part)
    reach = DEVIATIONS * sqrt(share * (1 - share) / games + part / (4 * games)) / (1 + part)
    return max(0.0, centre - reach), min(1.0, centre + reach)
