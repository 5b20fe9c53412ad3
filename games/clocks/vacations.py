"""Who is away, and until when."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from games.models import Seat, Vacation


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


def away_at(moment: datetime) -> QuerySet[Vacation]:
    """The vacations that go on at a moment."""
    return Vacation.objects.filter(starts__lte=moment, ends__gt=moment)
