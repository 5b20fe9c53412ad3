"""Records and openings of public games, and head-to-head results of two members."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Avg, Count, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.models import Game, OpeningTally, Record, Result
from games.models.playable_systems import playable_systems
from games.ratings.rating_pools import is_team_game
from games.ratings.record_totals import MOST, TURNS, WIN

MAX_SHOWN = 3

# Kinds of records in every rule system; each has others of its own.
_COMMON_KINDS: Final = (MOST, TURNS)


@dataclass(frozen=True, slots=True)
class OpeningStats:
    """Number of games with an opening, and the share of them, from 0 to 1, that its seat won."""

    key: str
    games: int
    won: float


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Head-to-head result of two members in games of one rule system that both finished.

    `better` and `worse` count the games in which the first ranked above or below the other, `won` and `lost`
    the wins of the first and of the other; `ahead` is the average lead of the first in points.
    """

    system: str
    games: int
    better: int
    worse: int
    won: int
    lost: int
    ahead: float


def records(system: str, preset: str, players: int) -> list[tuple[str, list[Record]]]:
    """The records of each kind, the best first; kinds without any are left out."""
    kinds = (*_COMMON_KINDS, *SYSTEMS[system].RECORD_KINDS)
    found = [(kind, list(_best(system, preset, players, kind)[:MAX_SHOWN])) for kind in kinds]
    return [(kind, feats) for kind, feats in found if feats]


def _best(system: str, preset: str, players: int, kind: str) -> QuerySet[Record]:
    feats = Record.objects.filter(system=system, preset=preset, players=players, kind=kind)
    # A game that a moderator has just hidden must vanish at once.
    feats = feats.filter(game__visibility=Game.Visibility.PUBLIC, game__deleted=None)
    feats = feats.select_related("user", "game").defer("game__state", "game__seed")
    return feats.order_by("-score", "finished", "game")


def openings(system: str, preset: str, players: int) -> dict[str, list[OpeningStats]]:
    """Openings by kind ("seat", "first"): the most frequent first, but seats in order."""
    tallies = OpeningTally.objects.filter(system=system, preset=preset, players=players, games__gt=0)
    found: dict[str, list[OpeningStats]] = {"seat": [], "first": []}
    for one in tallies.filter(kind__in=found).order_by("-games", "key"):
        found[one.kind].append(OpeningStats(one.key, one.games, one.wins / WIN / one.games))
    found["seat"].sort(key=lambda one: one.key)
    return found


def available_records(system: str) -> set[tuple[str, int]]:
    """The presets and numbers of players with any statistics."""
    told = OpeningTally.objects.filter(system=system, kind="seat", key="0", games__gt=0)
    return set(told.values_list("preset", "players"))


def head_to_head(one: User, other: User) -> list[HeadToHead]:
    """The head-to-head results of two members by rule system; empty if they never met.

    Team games are left out: the two may have been partners, and ranks are those of their teams.
    """
    mine = Result.objects.filter(
        ~is_team_game("game"), user=one, game__system__in=playable_systems(), game__deleted=None
    )
    theirs = Result.objects.filter(user=other, game=OuterRef("game"))
    both = mine.annotate(
        their_rank=Subquery(theirs.values("rank")), their_points=Subquery(theirs.values("points"))
    ).filter(their_rank__isnull=False)
    summed = both.values("game__system").annotate(
        games=Count("pk"),
        better=Count("pk", filter=Q(rank__lt=F("their_rank"))),
        worse=Count("pk", filter=Q(rank__gt=F("their_rank"))),
        won=Count("pk", filter=Q(rank=1)),
        lost=Count("pk", filter=Q(their_rank=1)),
        ahead=Avg(F("points") - F("their_points")),
    )
    return [
        HeadToHead(
            row["game__system"],
            row["games"],
            row["better"],
            row["worse"],
            row["won"],
            row["lost"],
            row["ahead"],
        )
        for row in summed.order_by("game__system")
    ]


def wins_of(user: User) -> int:
    """The number of public games that a member has won, shared wins included."""
    won = Result.objects.filter(user=user, rank=1, public=True, game__system__in=playable_systems())
    return won.filter(game__visibility=Game.Visibility.PUBLIC, game__deleted=None).count()
