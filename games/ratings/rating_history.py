"""Updating ratings by finished games, in the order in which the games ended.

A game may be read after another that ended later, or may stop counting. Then the ratings are rolled back by
their history to where they were before it, and all later games are counted again. So the ratings always equal
those computed from the beginning.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.models import OVERALL, TEAM_GAMES, GameOutcome, Rating, RatingChange, RatingLedger
from games.ratings import rated_places, rating_corrections, skill_model
from games.ratings.skill_model import NEW_PLAYER, Strength, after_game, points

# A pool of one rule system: a number of players (OVERALL: any, TEAM_GAMES: any in teams) and a month ("": all
# time); and the ratings in it by the keys of members.
Pool = tuple[int, str]
KnownStrengths = dict[Pool, dict[int, Strength]]

# The method by which ratings are computed now; a ledger with another one is from an earlier release.
METHOD: Final = f"places {rated_places.VERSION}, {skill_model.VERSION}"

# Limit of games counted in one transaction.
SLICE = 500

# Limit of rows per database statement.
_ROWS = 2000
_KEYS = 500


@dataclass(frozen=True)
class Recount:
    """The result of a recount: the number of games, and the members' displayed ratings for all games.

    They are pairs of the rating before and after it by the keys of members, None for no rating.
    """

    games: int
    ratings: dict[int, tuple[int | None, int | None]]

    @property
    def changed(self) -> dict[int, tuple[int | None, int | None]]:
        """The ratings that are not what they were."""
        return {who: (before, after) for who, (before, after) in self.ratings.items() if before != after}


def lock(system: str) -> RatingLedger | None:
    """Lock the ledger of a rule system and return it; None if another process has it."""
    found = RatingLedger.objects.filter(pk=system)
    if not found.exists():
        RatingLedger.objects.get_or_create(system=system, defaults={"method": METHOD})
    return found.select_for_update(skip_locked=True).first()


def mark_stale(ledger: RatingLedger, outcome: GameOutcome) -> None:
    """Record in the locked ledger that an outcome has changed what its game counts for."""
    place = (outcome.finished, outcome.pk)
    if ledger.recount_from is None or place < (ledger.recount_from, ledger.stale_game):
        ledger.recount_from, ledger.stale_game = place
        ledger.save()


@transaction.atomic
def update_ratings(system: str) -> bool:
    """Count the next slice of games of a rule system; return whether there was anything to do.

    Counts at most SLICE games at once, so an interruption loses little.
    """
    ledger = lock(system)
    if ledger is None or ledger.recount_from is None:
        return False
    following = _count_from(system, ledger.recount_from, ledger.stale_game)
    if following is None:
        rating_corrections.finish(system)
    ledger.recount_from, ledger.stale_game = following or (None, 0)
    ledger.save()
    return True


def outdated_systems() -> list[str]:
    """The rule systems with ratings that were computed by an earlier method."""
    return list(RatingLedger.objects.exclude(method=METHOD).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def recount(system: str) -> Recount:
    """Compute all ratings of a rule system from the beginning, in one transaction.

    Raises RuntimeError while another process changes them.
    """
    ledger = lock(system)
    if ledger is None:
        raise RuntimeError(f"The ratings of {system} are being changed. Try again in a minute.")
    before = rating_corrections.ratings_before(system)
    is_new_method = ledger.method != METHOD
    _delete(RatingChange.objects.filter(system=system))
    Rating.objects.filter(system=system).delete()
    counted = _count(system, _rated(system), {}, set())
    ledger.recount_from, ledger.stale_game, ledger.method = None, 0, METHOD
    ledger.save()
    after = rating_corrections.ratings_now(system)
    rating_corrections.record(system, before, after, is_new_method=is_new_method)
    shown, now = _displayed(before), _displayed(after)
    return Recount(counted, {who: (shown.get(who), now.get(who)) for who in shown | now})


def _displayed(ratings: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """The displayed ratings for all games by the keys of members."""
    return {who: points(mu) for (who, players), mu in ratings.items() if players == OVERALL}


def _count_from(system: str, finished: datetime, game: int) -> tuple[datetime, int] | None:
    """Count a slice of games from a place on, undoing what they did before; return the next place."""
    later = Q(finished__gt=finished) | Q(finished=finished, game__gte=game)
    undone = RatingChange.objects.filter(later, system=system, finished__gte=finished)
    games = _rated(system).filter(later, finished__gte=finished)
    following = games.values_list("finished", "game")[SLICE : SLICE + 1].first()
    people = set(undone.values_list("user", flat=True).distinct())
    is_last = not people
    rating_corrections.begin(system, people, game, undone)
    listed = games.values_list("places", flat=True)[:SLICE]
    people |= {who for places in listed for who, _ in places or () if isinstance(who, int)}
    _delete(undone)
    known = _now(system, people) if is_last else _strengths_before(system, people, finished, game)
    _count(system, games[:SLICE], known, people)
    return following


def _delete(changes: QuerySet[RatingChange]) -> None:
    """Delete the changes in batches, so that no statement takes long."""
    while keys := list(changes.values_list("pk", flat=True)[:_ROWS]):
        RatingChange.objects.filter(pk__in=keys).delete()


_COLUMNS = ("game", "finished", "players", "places", "teams")


def _rated(system: str) -> QuerySet[GameOutcome]:
    return GameOutcome.objects.filter(system=system, places__isnull=False).order_by("finished", "game")


def pools(players: int, finished: datetime, *, in_teams: bool = False) -> list[Pool]:
    """The pools that a game counts for: all games, those with as many players, and by month.

    A team game counts for team games alone.
    """
    if in_teams:
        return [(TEAM_GAMES, "")]
    return [(OVERALL, ""), (players, ""), (OVERALL, finished.strftime("%Y-%m"))]


def _count(system: str, games: QuerySet[GameOutcome], known: KnownStrengths, people: set[int]) -> int:
    """Count games in order, starting from the known strengths, and save the results.

    Members of `people` that are in no game any more lose their rating.
    """
    rows: list[RatingChange] = []
    counted = 0
    for game, finished, players, places, teams in games.values_list(*_COLUMNS).iterator(chunk_size=_ROWS):
        ranked = [(who, rank) for who, rank in places]
        rows += _changes(system, game, finished, players, ranked, teams, known)
        counted += 1
        if len(rows) >= _ROWS:
            RatingChange.objects.bulk_create(rows, batch_size=_ROWS)
            rows = []
    RatingChange.objects.bulk_create(rows, batch_size=_ROWS)
    _write(system, known, people)
    return counted


def _changes(
    system: str,
    game: int,
    finished: datetime,
    players: int,
    places: Sequence[tuple[int | str, int]],
    teams: Sequence[Sequence[int]],
    known: KnownStrengths,
) -> Iterator[RatingChange]:
    """The changes by one game; also updates `known`."""
    ranks = dict(places)
    for size, month in pools(players, finished, in_teams=bool(teams)):
        of_pool = known.setdefault((size, month), {})
        for who, new in after_game(system, size, places, of_pool, teams).items():
            before = of_pool.get(who, NEW_PLAYER).mu
            of_pool[who] = new
            yield RatingChange(
                system=system, players=size, month=month, game_id=game, user_id=who, finished=finished,
                rank=ranks[who], mu_before=before, mu=new.mu, sigma=new.sigma, games=new.games, wins=new.wins,
            )  # fmt: skip


def _write(system: str, known: KnownStrengths, people: set[int]) -> None:
    """Save the known ratings and delete all others of these people."""
    for some in _batches(people):
        Rating.objects.filter(system=system, user__in=some).delete()
    ratings = (
        _rating(system, pool, who, one) for pool, of_pool in known.items() for who, one in of_pool.items()
    )
    Rating.objects.bulk_create(
        ratings,
        batch_size=_ROWS,
        update_conflicts=True,
        unique_fields=["user", "system", "month", "players"],
        update_fields=["mu", "sigma", "games", "wins", "standing", "ranked"],
    )


def _rating(system: str, pool: Pool, who: int, one: Strength) -> Rating:
    """The row of a rating. Monthly ratings are all uncertain, so they are ordered by proven strength."""
    size, month = pool
    return Rating(
        system=system, players=size, month=month, user_id=who,
        mu=one.mu, sigma=one.sigma, games=one.games, wins=one.wins,
        standing=one.proven if month else one.mu,
        ranked=bool(month) or one.is_certain,
    )  # fmt: skip


def _now(system: str, people: Iterable[int]) -> KnownStrengths:
    """The current ratings of these people."""
    return _known(
        row
        for some in _batches(people)
        for row in Rating.objects.filter(system=system, user__in=some).values_list(*_STRENGTH)
    )


def _strengths_before(system: str, people: Iterable[int], finished: datetime, game: int) -> KnownStrengths:
    """Their ratings after the remaining history, which ends before a place."""
    same = {name: OuterRef(name) for name in ("system", "user", "players", "month")}
    earlier = Q(finished__lt=finished) | Q(finished=finished, game__lt=game)
    history = RatingChange.objects.filter(earlier, finished__lte=finished, **same)
    last = Subquery(history.order_by("-finished", "-game").values("pk")[:1])
    keys = [
        key
        for some in _batches(people)
        for key in Rating.objects.filter(system=system, user__in=some).values_list(last, flat=True)
        if key is not None
    ]
    return _known(
        row
        for some in _batches(keys)
        for row in RatingChange.objects.filter(pk__in=some).values_list(*_STRENGTH)
    )


_STRENGTH = ("players", "month", "user", "mu", "sigma", "games", "wins")


def _known(rows: Iterable[Any]) -> KnownStrengths:
    known: KnownStrengths = {}
    for players, month, user, mu, sigma, games, wins in rows:
        known.setdefault((players, month), {})[user] = Strength(mu, sigma, games, wins)
    return known


def _batches(keys: Iterable[int]) -> Iterator[list[int]]:
    """Split the keys into batches for queries."""
    ordered = sorted(keys)
    return (ordered[start : start + _KEYS] for start in range(0, len(ordered), _KEYS))
