"""Vacations: plan and end them, count their days per year, and stop and start clocks for them."""

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
from games.models.game import MAX_LIVE_PACE
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.players.admission import lock_user
from games.processes import task_failures
from games.refusals import InvalidVacation, NoVacationLeft, VacationOverlap

logger = logging.getLogger(__name__)

# Days of vacation per calendar year.
ALLOWANCE = 30

_DAY = timedelta(days=1)


@transaction.atomic
def plan_vacation(*, user: User, first: date, last: date) -> Vacation:
    """Plan a vacation of these days, both included; one that begins today begins now.

    Raises InvalidVacation for days that are over, in the wrong order or more than a year ahead,
    VacationOverlap for days that are taken, and NoVacationLeft.
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
    """End a vacation now, or cancel it before it begins; days that have not begun are not counted.

    Returns which of the two it was, or "" if the user has no such vacation.
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
    """The number of vacation days the user has left in a year."""
    taken = Vacation.objects.filter(user=user, first__lte=date(year, 12, 31), last__gte=date(year, 1, 1))
    return ALLOWANCE - sum(days_in(year, vacation.first, vacation.last) for vacation in taken)


def days_in(year: int, first: date, last: date) -> int:
    """The number of days from `first` to `last` that lie in a year."""
    begin, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (end - begin).days + 1)


def apply_vacations() -> None:
    """Stop the clocks of players whose vacation has begun, and start those of players who are back."""
    _stop_clocks(to_stop())
    _start_clocks(to_start())


def to_stop() -> QuerySet[Game]:
    """Games whose clock runs although the player to move is on vacation, found through the vacations.

    A vacation stops no live game.
    """
    away = away_at(timezone.now()).values("user")
    return Game.objects.filter(
        waiting_for__isnull=False, waiting_for__in=away, deadline__isnull=False, paused=None
    ).filter(seconds_per_move__gt=MAX_LIVE_PACE)


def to_start() -> QuerySet[Game]:
    """Games whose clock stands still although no vacation of the player to move stops it."""
    away = Exists(away_at(timezone.now()).filter(user=OuterRef("waiting_for")))
    return Game.objects.filter(time_left__isnull=False, paused=None).exclude(
        away, seconds_per_move__gt=MAX_LIVE_PACE
    )


def should_stand(game: Game) -> bool:
    """Return whether the game's clock runs although a vacation of the player to move began in time."""
    running = game.deadline is not None and game.waiting_for_id is not None and not game.is_live
    return (
        running
        and away_at(timezone.now()).filter(user=game.waiting_for_id, starts__lt=game.deadline).exists()
    )


def _stop_clocks(games: QuerySet[Game]) -> None:
    _each(games, _stop_clock)


def _start_clocks(games: QuerySet[Game]) -> None:
    _each(games, _start_clock)


def _each(games: QuerySet[Game], set_clock: Callable[[int], None]) -> None:
    # Lock in one order, for some callers lock them all. Sort here: in SQL it might read every game.
    for pk in sorted(games.order_by().values_list("pk", flat=True)):
        try:
            set_clock(pk)
        except Exception as error:  # one broken game must not keep the others from getting their time
            logger.exception("The clock of game %s could not be set for a vacation", pk)
            task_failures.record("setting a clock for a vacation", error)


@transaction.atomic
def _stop_clock(game_id: int) -> None:
    game = lock_game(game_id)
    vacation = away_at(timezone.now()).filter(user=game.waiting_for_id).first()
    if vacation is None or game.is_live or game.deadline is None or game.deadline <= vacation.starts:
        return  # the time was up before the vacation began
    # Give back the time that ran between the start of the vacation and this round of the sweeper.
    left = game_clock.left_at(game, max(vacation.starts, game.last_change_at))
    game.deadline, game.time_left = None, left
    enter_ruling(game, Ruling("pause"), seat=game.seat_to_move)


@transaction.atomic
def _start_clock(game_id: int) -> None:
    game = lock_game(game_id)
    if game.time_left is None or game_clock.is_stopped_by_vacation(game):
        return
    game_clock.resume_clock(game)
    enter_ruling(game, Ruling("resume"), seat=game.seat_to_move)


def _midnight(user: User, day: date) -> datetime:
    return datetime.combine(day, time(), user.tzinfo).astimezone(UTC)
