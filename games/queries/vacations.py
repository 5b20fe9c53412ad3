"""Who is away, and until when."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from games.models import Seat, Vacation
from games.services.vacations import away_at, left_in

__all__ = ["away_until", "left_in", "planned", "with_vacations"]


def planned(user: User) -> QuerySet[Vacation]:
    """The vacations of a user that go on or are to come, the next one first."""
    return Vacation.objects.filter(user=user, ends__gt=timezone.now())


def with_vacations(seats: QuerySet[Seat], now: Any) -> QuerySet[Seat]:
    """The seats, each with the last day of a vacation that goes on `now` as `away`; None for all others."""
    gone = away_at(now).filter(user=OuterRef("user"))
    return seats.annotate(away=Subquery(gone.values("last")[:1]))


def away_until(users: Iterable[int | None]) -> dict[int, date]:
    """Which of these users are on vacation now, each with the last day of it."""
    found = away_at(timezone.now()).filter(user__in=[pk for pk in users if pk is not None])
    return dict(found.values_list("user", "last"))
