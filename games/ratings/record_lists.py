"""Records and openings of public games, and how two members have played against each other."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Avg, Count, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.models import Game, OpeningTally, Record, Result
from games.models.playable_systems import playable_systems
from games.ratings.record_totals import MOST, TURNS, WIN

# So many of each kind are shown.
MOST_SHOWN = 3

# Kinds of every rule system; each has some of its own.
_OF_ALL: Final = (MOST, TURNS)


@dataclass(frozen=True, slots=True)
class OpeningStats:
    """How often a game was opened by something, and the share of them, from 0 to 1, that its seat won."""

    key: str
    games: int
    won: float


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What two members have come to in the games of one rule system that both played to a result.

    `better` and `worse` tell how often the first was before the other and behind, `won` and `lost` how often
    the first and the other won; `ahead` is by how many points the first was ahead on average.
    """

    system: str
    games: int
    better: int
    worse: int
    won: int
    lost: int
    ahead: float


def records(system: str, preset: str, players: int) -> list[tuple[str, list[Record]]]:
    """The best feats of each kind, the best first; kinds without any are left out."""
    kinds = (*_OF_ALL, *SYSTEMS[system].RECORD_KINDS)
    found = [(kind, list(_best(system, preset, players, kind)[:MOST_SHOWN])) for kind in kinds]
    return [(kind, feats) for kind, feats in found if feats]


def _best(system: str, preset: str, players: int, kind: str) -> QuerySet[Record]:
    feats = Record.objects.filter(system=system, preset=preset, players=players, kind=kind)
    # What a moderator has just hidden goes at once.
    feats = feats.filter(game__visibility=Game.Visibility.PUBLIC, game__deleted=None)
    feats = feats.select_related("user", "game").defer("game__state", "game__seed")
    return feats.order_by("-score", "finished", "game")


def openings(system: str, preset: str, players: int) -> dict[str, list[OpeningStats]]:
    """How games were opened, by kind ("seat", "first"): those that came most often first, seats in order."""
    tallies = OpeningTally.objects.filter(system=system, preset=preset, players=players, games__gt=0)
    found: dict[str, list[OpeningStats]] = {"seat": [], "first": []}
    for one in tallies.filter(kind__in=found).order_by("-games", "key"):
        found[one.kind].append(OpeningStats(one.key, one.games, one.wins / WIN / one.games))
    found["seat"].sort(key=lambda one: one.key)
    return found


def available_records(system: str) -> set[tuple[str, int]]:
    """The presets and numbers of players of which anything is told."""
    told = OpeningTally.objects.filter(system=system, kind="seat", key="0", games__gt=0)
    return set(told.values_list("preset", "players"))


def head_to_head(one: User, other: User) -> list[HeadToHead]:
    """How two members have played against each other; nothing where they never have."""
    mine = Result.objects.filter(user=one, game__system__in=playable_systems(), game__deleted=None)
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
    """How many public games a member has won, alone or with others."""
    won = Result.objects.filter(user=user, rank=1, public=True, game__system__in=playable_systems())
    return won.filter(game__visibility=Game.Visibility.PUBLIC, game__deleted=None).count()
