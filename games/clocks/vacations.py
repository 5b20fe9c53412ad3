"""Queries of vacations."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from games.models import Seat, Vacation


def planned(user: User) -> QuerySet[Vacation]:
    """The user's current and future vacations, the next one first."""
    return Vacation.objects.filter(user=user, ends__gt=timezone.now())


def with_vacations(seats: QuerySet[Seat], now: Any) -> QuerySet[Seat]:
    """Annotate the seats with the last day of a vacation at `now` as `away`, or None."""
    gone = away_at(now).filter(user=OuterRef("user"))
    return seats.annotate(away=Subquery(gone.values("last")[:1]))


def away_until(users: Iterable[int | None]) -> dict[int, date]:
    """The last days of the vacations of those of these users who are on vacation now."""
    found = away_at(timezone.now()).filter(user__in=[pk for pk in users if pk is not None])
    return dict(found.values_list("user", "last"))


def away_at(moment: datetime) -> QuerySet[Vacation]:
    """The vacations that include a moment."""
    return Vacation.objects.filter(starts__lte=moment, ends__gt=moment)
