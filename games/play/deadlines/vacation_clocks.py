"""Vacations: whose clocks stand still from when until when, and how much of that there is in a year."""

import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games.clocks import game_clock
from games.clocks.vacations import away_at
from games.log.rulings import Ruling
from games.models import Game, Vacation
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.players.admission import lock_user
from games.refusals import InvalidVacation, NoVacationLeft, VacationOverlap

log = logging.getLogger(__name__)

# So many days in each year of the calendar.
ALLOWANCE = 30

_DAY = timedelta(days=1)


@transaction.atomic
def plan_vacation(*, user: User, first: date, last: date) -> Vacation:
    """Plan a vacation of these days, both included; one that begins today begins now.

    Raises NotAVacation for days that are over, go backwards or lie more than a year ahead, AwayAlready for
    days that are taken, and NoVacationLeft.
    """
    lock_user(user)
    now = timezone.now()
    today = now.astimezone(user.tzinfo).date()
    if first < today or last < first or last > today + timedelta(days=365):
        raise InvalidVacation
    if Vacation.objects.filter(user=user, first__lte=last, last__gte=first, ends__gt=now).exists():
        raise VacationOverlap
    for year in range(first.year, last.year + 1):
        if days_in(year, first, last) > days_left_in(user, year):
            raise NoVacationLeft(year, days_left_in(user, year))
    starts = max(_midnight(user, first), now)
    vacation = Vacation.objects.create(
        user=user, first=first, last=last, starts=starts, ends=_midnight(user, last + _DAY)
    )
    if starts == now:
        _stop_clocks(Game.objects.filter(waiting_for=user, paused=None))
    return vacation


@transaction.atomic
def end_vacation(*, user: User, pk: int) -> Literal["ended", "called off", ""]:
    """End a vacation now, or call it off before it begins; days that are not begun are not counted.

    Returns which of the two it was; "" where the user has no such vacation that is not over.
    """
    lock_user(user)
    now = timezone.now()
    vacation = Vacation.objects.filter(user=user, pk=pk, ends__gt=now).first()
    if vacation is None:
        return ""
    if vacation.starts > now:
        vacation.delete()
        return "called off"
    vacation.ends = now
    vacation.last = max(vacation.first, min(vacation.last, now.astimezone(user.tzinfo).date()))
    vacation.save()
    _start_clocks(Game.objects.filter(waiting_for=user, paused=None))
    return "ended"


def days_left_in(user: User, year: int) -> int:
    """How many days of vacation the user has left in a year."""
    taken = Vacation.objects.filter(user=user, first__lte=date(year, 12, 31), last__gte=date(year, 1, 1))
    return ALLOWANCE - sum(days_in(year, vacation.first, vacation.last) for vacation in taken)


def days_in(year: int, first: date, last: date) -> int:
    """How many of the days from `first` to `last` lie in a year."""
    begin, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (end - begin).days + 1)


def apply_vacations() -> None:
    """Stop the clocks of those whose vacation has begun, and start those of whose it is over."""
    _stop_clocks(to_stop())
    _start_clocks(to_start())


def to_stop() -> QuerySet[Game]:
    """Games whose clock runs while whoever is asked is away: found by whoever is, not among all games."""
    away = away_at(timezone.now()).values("user")
    return Game.objects.filter(
        waiting_for__isnull=False, waiting_for__in=away, deadline__isnull=False, paused=None
    )


def to_start() -> QuerySet[Game]:
    """Games whose clock stands still though nobody is away; few stand still."""
    away = Exists(away_at(timezone.now()).filter(user=OuterRef("waiting_for")))
    return Game.objects.filter(time_left__isnull=False, paused=None).exclude(away)


def _stop_clocks(games: QuerySet[Game]) -> None:
    _each(games, _stop_clock)


def _start_clocks(games: QuerySet[Game]) -> None:
    _each(games, _start_clock)


def _each(games: QuerySet[Game], set_clock: Callable[[int], None]) -> None:
    # In one order, for some callers lock them all. The database, told to sort, might read every game for it.
    for pk in sorted(games.order_by().values_list("pk", flat=True)):
        try:
            set_clock(pk)
        except Exception:  # one broken game must not keep the others from their time
            log.exception("The clock of game %s could not be set for a vacation", pk)


@transaction.atomic
def _stop_clock(game_id: int) -> None:
    game = lock_game(game_id)
    vacation = away_at(timezone.now()).filter(user=game.waiting_for_id).first()
    if vacation is None or game.deadline is None or game.deadline <= vacation.starts:
        return  # who was late before that is late
    # The time since then that has run already, as the sweeper was elsewhere, is given back.
    left = game_clock.left_at(game, max(vacation.starts, game.last_change_at))
    game.deadline, game.time_left = None, left
    enter_ruling(game, Ruling("pause"), seat=game.seat_to_move)


@transaction.atomic
def _start_clock(game_id: int) -> None:
    game = lock_game(game_id)
    if game.time_left is None or away_at(timezone.now()).filter(user=game.waiting_for_id).exists():
        return
    game_clock.resume_clock(game)
    enter_ruling(game, Ruling("resume"), seat=game.seat_to_move)


def _midnight(user: User, day: date) -> datetime:
    return datetime.combine(day, time(), user.tzinfo).astimezone(UTC)
