"""Strengths of the bot levels, fitted to the matches of the ladder.

The ladder counts how often a level beats all opponents at a table, and the skill model compares pairs. So we
first ask how often the level finishes before one of these opponents, if everybody's play varies from game to
game by a normal distribution. For each number of players the strengths are those that make these shares most
likely; the reference level has the strength of a new member.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, sqrt
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Final

from games.engine.bots.arena.ladder_plan import ROWS
from games.engine.bots.arena.match_totals import Sum, read_sum
from games.engine.bots.bot_levels import BOTS
from games.models import OVERALL
from games.ratings.skill_model import MU, SCALE

REFERENCE: Final = "medium"

# Matches with fewer games can put two levels in the wrong order; a level that has no other counts as the one
# below it.
FEWEST_GAMES: Final = 100

# Half a game won and half a game lost beside the real ones: a level that never lost is not infinitely strong.
_PRIOR: Final = 0.5

_PRECISION: Final = 1e-6
_WEAKEST, _STRONGEST = -200.0, 200.0

# By level and number of players (OVERALL: the mean of the others).
Strengths = dict[str, dict[int, float]]


@dataclass(frozen=True)
class Match:
    """The wins of one player in games against a number of equal others."""

    hero: str
    others: str
    opponents: int
    games: int
    wins: float

    @cached_property
    def share(self) -> float:
        """The share of the games in which the hero finishes before a certain one of the others."""
        return pair_share((self.wins + _PRIOR) / (self.games + 2 * _PRIOR), self.opponents)

    def expected_share(self, strength: Mapping[str, float]) -> float:
        """The same by these strengths."""
        return 1 / (1 + exp((strength[self.others] - strength[self.hero]) / SCALE))

    def surplus(self, strength: Mapping[str, float]) -> float:
        """The games won beyond those expected, which is the slope of the likelihood."""
        return self.games * (self.share - self.expected_share(strength))


def ladder_matches(system: str, totals: Path) -> list[Match]:
    """The matches between the levels of a rule system of which the folder has enough games.

    Only matches with the default rules count: other rules can give luck more weight, which pulls the levels
    together.
    """
    levels = BOTS[system]
    rows = [row for row in ROWS if row.system == system and row.others in levels and not row.preset]
    sums = [(row, read_sum(row.sum_path(totals), row.match)) for row in rows]
    return [
        Match(row.hero, row.others, row.count, found.games, _wins(found, row.hero))
        for row, found in sums
        if found.games >= FEWEST_GAMES
    ]


def _wins(found: Sum, player: str) -> float:
    return sum(tally.wins for tally in found.tallies if tally.player == player)


def fit_levels(system: str, matches: Collection[Match]) -> Strengths:
    """The strengths of all levels of a rule system, rounded to tenths, the weakest level first."""
    numbers = sorted({match.opponents + 1 for match in matches})
    measured = {
        number: fit_strengths([match for match in matches if match.opponents + 1 == number])
        for number in numbers
    }
    by_number = _with_unmeasured(system, measured)
    return {
        level: {OVERALL: round(fmean(one[level] for one in by_number.values()), 1)}
        | {number: round(by_number[number][level], 1) for number in numbers}
        for level in BOTS[system]
    }


def fit_strengths(matches: Collection[Match]) -> dict[str, float]:
    """The most likely strengths of the players of these matches."""
    strength = {name: MU for match in matches for name in (match.hero, match.others)}
    moved = inf
    while moved > _PRECISION:
        before = dict(strength)
        for name in strength:
            if name != REFERENCE:
                strength[name] = _most_likely(name, strength, matches)
        moved = max(abs(strength[name] - before[name]) for name in strength)
    return strength


def _most_likely(name: str, strength: Mapping[str, float], matches: Collection[Match]) -> float:
    """The strength of one player at which it has beaten the others as often as expected, by bisection."""
    low, high = _WEAKEST, _STRONGEST
    while high - low > _PRECISION / 10:
        middle = (low + high) / 2
        trial = {**strength, name: middle}
        slope = sum(match.surplus(trial) for match in matches if match.hero == name)
        slope -= sum(match.surplus(trial) for match in matches if match.others == name)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def _with_unmeasured(system: str, measured: Mapping[int, Mapping[str, float]]) -> dict[int, dict[str, float]]:
    """The strengths of all levels by number of players, from those that were measured.

    A level that was not measured with a number of players is as far above the level below as with the
    others; one that was never measured counts as the level below.
    """
    found: dict[int, dict[str, float]] = {number: {} for number in measured}
    below = ""
    for level in BOTS[system]:
        known = {number: strength[level] for number, strength in measured.items() if level in strength}
        gains = [strength - found[number].get(below, MU) for number, strength in known.items()]
        gain = fmean(gains) if gains else 0.0
        for number, levels in found.items():
            levels[level] = known.get(number, levels.get(below, MU) + gain)
        below = level
    return found


# -- From wins to pairs --------------------------------------------------------------------------------

_NORMAL: Final = NormalDist()
_STEP: Final = 0.05
_DAYS: Final = [_STEP * n for n in range(-160, 161)]


def pair_share(wins: float, opponents: int) -> float:
    """The share of games in which a player finishes before a given one of several equal opponents.

    `wins` is the share of games in which the player finishes before all of them.
    """
    low, high = -20.0, 20.0
    while high - low > _PRECISION:
        lead = (low + high) / 2
        low, high = (lead, high) if _win_share(lead, opponents) < wins else (low, lead)
    return _NORMAL.cdf(lead / sqrt(2))


def _win_share(lead: float, opponents: int) -> float:
    """The chance that a player with this lead, in standard deviations of one game, beats all opponents."""
    return _STEP * sum(_NORMAL.pdf(day) * _NORMAL.cdf(day + lead) ** opponents for day in _DAYS)
