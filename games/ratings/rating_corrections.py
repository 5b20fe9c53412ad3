"""Corrections: changes of ratings because games were counted again, not because a game ended.

A recount may take several transactions. What the ratings were before is kept from the first of them, and what
they are then is added after the last one; those that are shown as before are forgotten.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import GameOutcome, Rating, RatingChange, RatingCorrection
from games.ratings.skill_model import points

Reason = RatingCorrection.Reason

# Ratings of all time by the key of the member and the number of players of the pool.
Ratings = Mapping[tuple[int, int], float]

# Limits of rows and of keys per database statement.
_ROWS: Final = 2000
_KEYS: Final = 500


def begin(system: str, people: Collection[int], game: int, undone: QuerySet[RatingChange]) -> None:
    """Keep the ratings of these people, whose later games will be counted again because of this game.

    `undone` are their changes by those games. What was kept before and is not finished stays.
    """
    if not people:
        return
    was_counted = undone.filter(game=game).exists()
    counts = GameOutcome.objects.filter(pk=game, places__isnull=False).exists()
    reason = (Reason.CHANGED if counts else Reason.UNCOUNTED) if was_counted else Reason.LATE
    for some in _batches(people):
        RatingCorrection.objects.bulk_create(
            (
                RatingCorrection(
                    user_id=who, system=system, players=players, reason=reason, game_id=game, mu_before=mu
                )
                for (who, players), mu in _ratings(Q(system=system, user__in=some)).items()
            ),
            batch_size=_ROWS,
            ignore_conflicts=True,
        )


def finish(system: str) -> None:
    """Complete what `begin` has kept: all games are counted."""
    begun = RatingCorrection.objects.filter(system=system, at=None)
    now = timezone.now()
    while rows := list(begun.order_by("pk")[:_KEYS]):
        ratings = _ratings(Q(system=system, user__in={row.user_id for row in rows}))
        for row in rows:
            row.mu, row.at = ratings.get((row.user_id, row.players)), now
        same = [row.pk for row in rows if row.mu is not None and points(row.mu) == points(row.mu_before)]
        RatingCorrection.objects.filter(pk__in=same).delete()
        changed = [row for row in rows if row.pk not in same]
        RatingCorrection.objects.bulk_update(changed, ["mu", "at"], batch_size=_KEYS)


def ratings_now(system: str) -> Ratings:
    """All ratings of all time of a rule system."""
    return _ratings(Q(system=system))


def ratings_before(system: str) -> Ratings:
    """The ratings before a recount from the beginning, and before any other that it overtakes."""
    begun = RatingCorrection.objects.filter(system=system, at=None)
    kept = {(row.user_id, row.players): row.mu_before for row in begun}
    begun.delete()
    return {**ratings_now(system), **kept}


def record(system: str, before: Ratings, after: Ratings, *, is_new_method: bool) -> None:
    """Record the ratings that a recount from the beginning has changed."""
    now, reason = timezone.now(), Reason.METHOD if is_new_method else Reason.RECOUNT
    RatingCorrection.objects.bulk_create(
        (
            RatingCorrection(
                user_id=who, system=system, players=players, reason=reason, at=now, mu_before=mu, mu=new
            )
            for (who, players), mu in before.items()
            if (new := after.get((who, players))) is None or points(new) != points(mu)
        ),
        batch_size=_ROWS,
    )


def _ratings(which: Q) -> dict[tuple[int, int], float]:
    rows = Rating.objects.filter(which, month="").values_list("user", "players", "mu")
    return {(who, players): mu for who, players, mu in rows}


def _batches(keys: Collection[int]) -> Iterator[list[int]]:
    ordered = sorted(keys)
    return (ordered[start : start + _KEYS] for start in range(0, len(ordered), _KEYS))
