"""Whose clock runs in a game, and until when.

While somebody is asked, the game's `deadline` is the clock; while the clock is stopped it is `remaining`.
A seat's `left` is what its bank held when it was asked last: it is written when the seat has answered.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from games.models import Game, Seat, Vacation

from . import clocks, reliability
from .clocks import Hours


def start(game: Game, seat: Seat) -> None:
    """Let the clock of a seat run, whose person is asked now; nothing runs in a game without a pace."""
    game.deadline = game.remaining = None
    if game.pace is None:
        return
    _note_zone(game)
    if is_away(game.asked_id):
        game.remaining = allowance(game, seat)
    else:
        set_clock(game, allowance(game, seat), hours(game))


def stop(game: Game, seats: list[Seat], *, answered: int | None) -> None:
    """Write down what is left to whoever was asked; `answered` is the seat that has decided, if one has."""
    seat = next((seat for seat in seats if seat.user_id is not None and seat.user_id == game.asked_id), None)
    if seat is None:
        return  # nobody was asked, or who was has left the site
    left = left_to(game, seat)
    if game.bank is not None and left is not None:
        seat.left = in_bank(game, left + one_decision(game)) if seat.number == answered else left
    if seat.number == answered:
        if left is not None and game.asked_id is not None:
            late = game.deadline is not None and game.deadline <= timezone.now()
            reliability.count_decision(game.asked_id, late=late or seat.in_question)
        seat.in_question = False
    seat.save(update_fields=["left", "in_question"])


def set_clock(game: Game, left: timedelta, running: Hours) -> None:
    """Leave so much time to whoever is asked, counted from now."""
    game.deadline = clocks.deadline(timezone.now(), left, running)


def leave(game: Game, left: timedelta) -> None:
    """Leave so much time to whoever is asked, whether the clock runs or stands still."""
    if game.remaining is not None:
        game.remaining = left
    else:
        set_clock(game, left, hours(game))


def left_to(game: Game, seat: Seat) -> timedelta | None:
    """What is left of the time of a seat, now; None when it is not asked, or without a limit."""
    if game.pace is None or game.asked_id is None or game.asked_id != seat.user_id:
        return None
    # While the others vote about somebody, time runs that nobody has in store.
    return timedelta() if seat.in_question else remaining(game)


def stand_still(game: Game) -> None:
    """Stop the clock of whoever is asked, if it runs, and keep what is left."""
    if game.deadline is not None:
        game.remaining, game.deadline = remaining(game), None


def go_on(game: Game) -> None:
    """Let a clock that was stopped run again with what is left, by the hours of where its person lives."""
    assert game.remaining is not None
    _note_zone(game)
    set_clock(game, game.remaining, hours(game))
    game.remaining = None


def remaining(game: Game) -> timedelta:
    """What is left to whoever is asked, now; nothing when no clock runs."""
    if game.remaining is not None:
        return game.remaining
    return left_at(game, timezone.now())


def left_at(game: Game, moment: datetime) -> timedelta:
    """What a clock that runs now showed at that moment; nothing when none runs."""
    return clocks.counted(moment, game.deadline, hours(game)) if game.deadline else timedelta()


def allowance(game: Game, seat: Seat) -> timedelta:
    """All the time that a seat has for a decision that it is asked now."""
    if game.bank is None:
        return one_decision(game)
    return timedelta(seconds=game.bank) if seat.left is None else seat.left


def one_decision(game: Game) -> timedelta:
    """The time for one decision: all there is, or what it brings into a bank."""
    return timedelta(seconds=game.pace or 0)


def in_bank(game: Game, time: timedelta) -> timedelta:
    """As much of this time as the bank of a seat may hold."""
    return time if game.cap is None else min(time, timedelta(seconds=game.cap))


def is_away(user_id: int | None) -> bool:
    """Whether this user is on vacation now."""
    now = timezone.now()
    return Vacation.objects.filter(user=user_id, starts__lte=now, ends__gt=now).exists()


def _note_zone(game: Game) -> None:
    """Note where whoever is asked lives: a clock that runs counts by the hours with which it began.

    Else a move to another zone would make a night, or a weekend, of time that was set as a day.
    """
    game.zone = game.asked.zone.key if game.asked is not None and game.off != Game.Off.NONE else ""


def hours(game: Game) -> Hours:
    """When the clock of whoever is asked runs."""
    if game.off == Game.Off.NONE or game.asked is None:
        return Hours()
    return Hours(
        ZoneInfo(game.zone) if game.zone else game.asked.zone,
        nights=game.off in (Game.Off.NIGHTS, Game.Off.BOTH),
        weekends=game.off in (Game.Off.WEEKENDS, Game.Off.BOTH),
    )


def when_left(game: Game, share: float) -> datetime:
    """When this share of the time for the decision was or will be left, in a game whose clock runs."""
    assert game.deadline is not None
    seat = Seat(left=None)
    if game.bank is not None:
        seat = game.seats.get(user=game.asked_id)
    return clocks.before(game.deadline, share * allowance(game, seat), hours(game))
