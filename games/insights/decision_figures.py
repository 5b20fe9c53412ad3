"""Average losses by theme, third of the game and tier, and money by source, with their margins.

A member is seen beside members of a similar rating and beside the bot levels.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Abs

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.insights.insight_sums import sums
from games.models import GameMoney, InsightSum, PublicInsights, RatedDecision
from games.ratings.peers import mu_of, similar_ratings

# Members of the nearest ratings who are compared.
MOST_PEERS: Final = 30

# Fewer decisions, or games, give no average.
FEWEST: Final = {RatedDecision: 20, GameMoney: 5}

# The true average lies within the margin in 95 of 100 cases.
_NORMAL_95: Final = 1.96
# A difference is clear if chance alone would show it in one of 100 cases at most.
_NORMAL_99: Final = 2.58


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of decisions or games, with the sums of a value and of its square."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: "Figure") -> "Figure":
        return Figure(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The average value; 0 for none."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the average; 0 for fewer than two values."""
        if self.count < 2:
            return 0.0
        variance = max(0.0, self.squares - self.total**2 / self.count) / (self.count - 1)
        return sqrt(variance / self.count)

    @property
    def margin(self) -> float:
        """Half of the range that holds the true average in 95 of 100 cases."""
        return _NORMAL_95 * self.error

    def differs_from(self, other: "Figure") -> int:
        """Return 1 if the average is clearly above the other, -1 if clearly below, else 0."""
        difference = self.mean - other.mean
        if abs(difference) <= _NORMAL_99 * sqrt(self.error**2 + other.error**2):
            return 0
        return 1 if difference > 0 else -1


# Columns of a stored sum: its cell, and its numbers.
_SUM: Final = ("measure", "name", "third", "tier", "count", "total", "squares")

Cells = dict[tuple[Any, ...], Figure]


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of somebody: losses by theme, third and tier, and money by source."""

    losses: Cells
    money: Cells

    def by(self, place: int) -> dict[Any, Figure]:
        """The losses by theme (0), third (1) or tier (2)."""
        return _summed(self.losses, lambda cell: cell[place])

    @property
    def overall(self) -> Figure:
        """The losses of all decisions."""
        return sum(self.losses.values(), Figure())

    @property
    def by_source(self) -> dict[Any, Figure]:
        """The money by source."""
        return _summed(self.money, lambda cell: cell[0])


@dataclass(frozen=True, slots=True)
class Insights:
    """A member's figures, those of `peers` members of a similar rating, and those of the levels by name."""

    own: Group
    similar: Group
    peers: int
    levels: dict[str, Group]


def insights_of(user: User, system: str) -> Insights:
    """The figures of a member in one rule system, beside others."""
    peers = _peers(user, system)
    stored = InsightSum.objects.filter(system=system)
    return Insights(
        own=_group(_own_sums(user, system)),
        similar=_group(_added(stored.filter(user__in=peers))) if peers else _group(()),
        peers=len(peers),
        levels=_level_groups(system, list(stored.filter(user=None).values_list("level", *_SUM))),
    )


def is_public(user: User) -> bool:
    """Return whether everybody may read the member's insights."""
    return PublicInsights.objects.filter(user=user).exists()


def set_public(user: User, public: bool) -> None:
    """Let everybody read the member's insights, or nobody else."""
    if public:
        PublicInsights.objects.get_or_create(user=user)
    else:
        PublicInsights.objects.filter(user=user).delete()


def _peers(user: User, system: str) -> list[int]:
    """The members of the nearest ratings, by key."""
    distance = Abs(F("mu") - mu_of(user, system))
    nearest = similar_ratings(user, system).order_by(distance, "user")
    return list(nearest.values_list("user", flat=True)[:MOST_PEERS])


def _own_sums(user: User, system: str) -> list[tuple[Any, ...]]:
    """The member's stored sums, or those of the rows while none are stored."""
    stored = list(InsightSum.objects.filter(user=user, system=system).values_list(*_SUM))
    return stored or [tuple(getattr(row, column) for column in _SUM) for row in sums({"user": user}, system)]


def _added(rows: QuerySet[InsightSum]) -> Iterable[tuple[Any, ...]]:
    """The sums of several members, added up by the database."""
    *cell, _count, _total, _squares = _SUM
    return rows.values_list(*cell).annotate(Sum("count"), Sum("total"), Sum("squares")).order_by()


def _level_groups(system: str, rows: Sequence[tuple[Any, ...]]) -> dict[str, Group]:
    """The figures of the levels that have decided enough, the weakest first."""
    groups = {level: _group(row for of, *row in rows if of == level) for level in BOTS[system]}
    return {level: group for level, group in groups.items() if group.overall.count >= FEWEST[RatedDecision]}


def _group(rows: Iterable[Sequence[Any]]) -> Group:
    """The figures in rows of the columns _SUM."""
    losses: Cells = {}
    money: Cells = {}
    for measure, name, third, tier, count, total, squares in rows:
        cells = losses if measure == InsightSum.Measure.LOSS else money
        cells[name, third, tier] = Figure(count, total, squares)
    return Group(losses, money)


def _summed(cells: Cells, key: Callable[[tuple[Any, ...]], Any]) -> dict[Any, Figure]:
    found: dict[Any, Figure] = {}
    for cell, figure in cells.items():
        found[key(cell)] = found.get(key(cell), Figure()) + figure
    return found


def enough(figures: Iterable[Figure], model: Any) -> bool:
    """Return whether one of the figures rests on enough decisions or games."""
    return any(figure.count >= FEWEST[model] for figure in figures)
