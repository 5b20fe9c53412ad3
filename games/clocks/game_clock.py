"""Whose clock runs in a game, and until when.

While somebody is asked, the game's `deadline` is the clock; while the clock is stopped it is `remaining`.
A seat's `left` is what its bank held when it was asked last: it is written when the seat has answered.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from games.clocks import clock_hours, on_time_rate
from games.clocks.clock_hours import ClockHours
from games.models import Game, Seat, Vacation


def start_clock(game: Game, seat: Seat) -> None:
    """Let the clock of a seat run, whose person is asked now; nothing runs in a game without a pace."""
    game.deadline = game.time_left = None
    if game.seconds_per_move is None:
        return
    _note_zone(game)
    if is_on_vacation(game.waiting_for_id):
        game.time_left = full_time(game, seat)
    else:
        set_clock(game, full_time(game, seat), hours(game))


def stop_clock(game: Game, seats: list[Seat], *, answered: int | None) -> None:
    """Write down what is left to whoever was asked; `answered` is the seat that has decided, if one has."""
    seat = next(
        (seat for seat in seats if seat.user_id is not None and seat.user_id == game.waiting_for_id), None
    )
    if seat is None:
        return  # nobody was asked, or who was has left the site
    left = time_left(game, seat)
    if game.time_bank is not None and left is not None:
        seat.time_bank_left = (
            cap_to_bank(game, left + time_per_move(game)) if seat.number == answered else left
        )
    if seat.number == answered:
        if left is not None and game.waiting_for_id is not None:
            late = game.deadline is not None and game.deadline <= timezone.now()
            on_time_rate.count_decision(game.waiting_for_id, late=late or seat.replacement_vote_open)
        seat.replacement_vote_open = False
    seat.save(update_fields=["time_bank_left", "replacement_vote_open"])


def set_clock(game: Game, left: timedelta, running: ClockHours) -> None:
    """Leave so much time to whoever is asked, counted from now."""
    game.deadline = clock_hours.deadline(timezone.now(), left, running)


def set_time_left(game: Game, left: timedelta) -> None:
    """Leave so much time to whoever is asked, whether the clock runs or stands still."""
    if game.time_left is not None:
        game.time_left = left
    else:
        set_clock(game, left, hours(game))


def time_left(game: Game, seat: Seat) -> timedelta | None:
    """What is left of the time of a seat, now; None when it is not asked, or without a limit."""
    if game.seconds_per_move is None or game.waiting_for_id is None or game.waiting_for_id != seat.user_id:
        return None
    # While the others vote about somebody, time runs that nobody has in store.
    return timedelta() if seat.replacement_vote_open else remaining(game)


def pause_clock(game: Game) -> None:
    """Stop the clock of whoever is asked, if it runs, and keep what is left."""
    if game.deadline is not None:
        game.time_left, game.deadline = remaining(game), None


def resume_clock(game: Game) -> None:
    """Let a clock that was stopped run again with what is left, by the hours of where its person lives."""
    assert game.time_left is not None
    _note_zone(game)
    set_clock(game, game.time_left, hours(game))
    game.time_left = None


def remaining(game: Game) -> timedelta:
    """What is left to whoever is asked, now; nothing when no clock runs."""
    if game.time_left is not None:
        return game.time_left
    return left_at(game, timezone.now())


def left_at(game: Game, moment: datetime) -> timedelta:
    """What a clock that runs now showed at that moment; nothing when none runs."""
    return clock_hours.counted_time(moment, game.deadline, hours(game)) if game.deadline else timedelta()


def full_time(game: Game, seat: Seat) -> timedelta:
    """All the time that a seat has for a decision that it is asked now."""
    if game.time_bank is None:
        return time_per_move(game)
    return timedelta(seconds=game.time_bank) if seat.time_bank_left is None else seat.time_bank_left


def time_per_move(game: Game) -> timedelta:
    """The time for one decision: all there is, or what it brings into a bank."""
    return timedelta(seconds=game.seconds_per_move or 0)


def cap_to_bank(game: Game, time: timedelta) -> timedelta:
    """As much of this time as the bank of a seat may hold."""
    return time if game.time_bank_cap is None else min(time, timedelta(seconds=game.time_bank_cap))


def is_on_vacation(user_id: int | None) -> bool:
    """Whether this user is on vacation now."""
    now = timezone.now()
    return Vacation.objects.filter(user=user_id, starts__lte=now, ends__gt=now).exists()


def _note_zone(game: Game) -> None:
    """Note where whoever is asked lives: a clock that runs counts by the hours with which it began.

    Else a move to another zone would make a night, or a weekend, of time that was set as a day.
    """
    game.clock_zone = (
        game.waiting_for.tzinfo.key
        if game.waiting_for is not None and game.clock_pauses != Game.ClockPauses.NONE
        else ""
    )


def hours(game: Game) -> ClockHours:
    """When the clock of whoever is asked runs."""
    if game.clock_pauses == Game.ClockPauses.NONE or game.waiting_for is None:
        return ClockHours()
    return ClockHours(
        ZoneInfo(game.clock_zone) if game.clock_zone else game.waiting_for.tzinfo,
        nights=game.clock_pauses in (Game.ClockPauses.NIGHTS, Game.ClockPauses.BOTH),
        weekends=game.clock_pauses in (Game.ClockPauses.WEEKENDS, Game.ClockPauses.BOTH),
    )


def instant_with_share_left(game: Game, share: float) -> datetime:
    """When this share of the time for the decision was or will be left, in a game whose clock runs."""
    assert game.deadline is not None
    seat = Seat(time_bank_left=None)
    if game.time_bank is not None:
        seat = game.seats.get(user=game.waiting_for_id)
    return clock_hours.instant_with_left(game.deadline, share * full_time(game, seat), hours(game))
