"""Sums of the rated decisions and the money of a member or a level, kept for the pages."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Count, F, FloatField, QuerySet, Sum
from django.db.models.functions import Cast

from games.models import GameMoney, InsightSum, RatedDecision

# The latest rows of a level that are summed: its strength does not change.
ROWS_OF_LEVEL: Final = 3000

# Another process may store the sums of the same owner at once. They are then made again.
_TRIES: Final = 3


def store_sums(owner: Mapping[str, Any], system: str) -> None:
    """Replace the stored sums of a member or a level in one rule system, in the caller's transaction.

    Waits for another process that does this for the same owner. Raises IntegrityError if many do.
    """
    for tried in range(1, _TRIES + 1):
        try:
            with transaction.atomic():
                InsightSum.objects.filter(**owner, system=system).delete()
                InsightSum.objects.bulk_create(sums(owner, system))
            return
        except IntegrityError:
            if tried == _TRIES:
                raise


def sums(owner: Mapping[str, Any], system: str) -> Iterator[InsightSum]:
    """The sums of a member (`user`) or a level (`level`), without deleted games; not stored."""
    for model, measure, value, columns in (
        (RatedDecision, InsightSum.Measure.LOSS, "lost", {"name": "theme", "third": "third", "tier": "tier"}),
        (GameMoney, InsightSum.Measure.MONEY, "dollars", {"name": "source"}),
    ):
        number = Cast(F(value), FloatField())
        rows = _rows(model, owner, system).values(*columns.values())
        found = rows.annotate(n=Count("pk"), total=Sum(number), squares=Sum(number * number)).order_by()
        for row in found:
            cell = {name: row[column] for name, column in columns.items()}
            yield InsightSum(
                **owner, **cell, system=system, measure=measure,
                count=row["n"], total=row["total"], squares=row["squares"],
            )  # fmt: skip


def _rows(model: Any, owner: Mapping[str, Any], system: str) -> QuerySet[Any]:
    rows = model.objects.filter(**owner, system=system, review__game__deleted=None)
    if "level" not in owner:
        return rows
    latest = rows.order_by("-id").values_list("pk", flat=True)[:ROWS_OF_LEVEL]
    return model.objects.filter(pk__in=list(latest))
