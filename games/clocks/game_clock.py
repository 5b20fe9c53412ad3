"""The clock of a game: start, stop and read it.

While the clock runs, `deadline` is set; while it stands still, `time_left` is. The `time_bank_left` of a seat
is what its time bank held after its last answer. In a live game without a time bank it is what a player had
left who left the table, until the player is back or the pace changes.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from games.clocks import clock_hours, on_time_rate, overload, site_presence
from games.clocks.clock_hours import ClockHours
from games.models import Game, Seat, Vacation

# A move in a live game is in time if it comes so much later than the deadline: it was sent before.
ROUND_TRIP = timedelta(seconds=1)


def start_clock(game: Game, seat: Seat) -> None:
    """Start the clock of the player to move in this seat; games without a time limit have none."""
    game.deadline = game.time_left = None
    if game.seconds_per_move is None:
        return
    _set_clock_zone(game)
    if _is_player_away(game, seat):
        game.time_left = full_time(game, seat)
    else:
        set_clock(game, full_time(game, seat), hours(game))


def stop_clock(game: Game, seats: list[Seat], *, answered: int | None) -> None:
    """Save the time left of the player to move; `answered` is the seat that has just decided, if any.

    The time of an overload does not count.
    """
    seat = next(
        (seat for seat in seats if seat.user_id is not None and seat.user_id == game.waiting_for_id), None
    )
    if seat is None:
        return  # no person was to move, or the player has left the site
    moment = _clock_time(game)
    left = time_left(game, seat, moment)
    before = (seat.time_bank_left, seat.replacement_vote_open)
    if game.time_bank is not None and left is not None:
        seat.time_bank_left = (
            cap_to_bank(game, left + time_per_move(game)) if seat.number == answered else left
        )
    if seat.number == answered:
        if left is not None and game.waiting_for_id is not None:
            late = game.deadline is not None and game.deadline <= moment
            if not game.is_live:
                on_time_rate.count_decision(game.waiting_for_id, late=late or seat.replacement_vote_open)
        seat.replacement_vote_open = False
    if before != (seat.time_bank_left, seat.replacement_vote_open):
        seat.save(update_fields=["time_bank_left", "replacement_vote_open"])


def set_clock(game: Game, left: timedelta, running: ClockHours) -> None:
    """Let the clock of the player to move run with this time left, counted from now."""
    game.deadline = clock_hours.deadline(timezone.now(), left, running)


def set_time_left(game: Game, left: timedelta) -> None:
    """Set the time left of the player to move, whether the clock runs or stands still."""
    if game.time_left is not None:
        game.time_left = left
    else:
        set_clock(game, left, hours(game))


def time_left(game: Game, seat: Seat, moment: datetime | None = None) -> timedelta | None:
    """The time left of a seat at that moment or now; None when it is not to move, or without a time limit."""
    if game.seconds_per_move is None or game.waiting_for_id is None or game.waiting_for_id != seat.user_id:
        return None
    # The time of a replacement vote is not the seat's own.
    return timedelta() if seat.replacement_vote_open else remaining(game, moment)


def pause_clock(game: Game) -> None:
    """Stop the clock of the player to move, if it runs, and keep the time left."""
    if game.deadline is not None:
        game.time_left, game.deadline = remaining(game), None


def resume_clock(game: Game) -> None:
    """Let a stopped clock run again with the time left, by the hours of the player's time zone."""
    assert game.time_left is not None
    _set_clock_zone(game)
    set_clock(game, game.time_left, hours(game))
    game.time_left = None


def is_time_up(game: Game) -> bool:
    """Return whether the time of the player to move is up, with a round trip in a live game."""
    if game.deadline is None:
        return False
    return game.deadline + (ROUND_TRIP if game.is_live else timedelta()) <= timezone.now()


def remaining(game: Game, moment: datetime | None = None) -> timedelta:
    """The time left of the player to move, at that moment or now; zero when there is no clock."""
    if game.time_left is not None:
        return game.time_left
    return left_at(game, moment or timezone.now())


def left_at(game: Game, moment: datetime) -> timedelta:
    """The time left at that moment on the clock that runs now; zero when none runs."""
    return left_until(game, game.deadline, moment) if game.deadline else timedelta()


def left_until(game: Game, deadline: datetime, moment: datetime) -> timedelta:
    """The part of the time between the moment and this deadline in which the game's clock runs."""
    return clock_hours.counted_time(moment, deadline, hours(game))


def full_time(game: Game, seat: Seat) -> timedelta:
    """The full time that a seat has for a decision asked now."""
    if game.time_bank is None:
        return time_per_move(game)
    return timedelta(seconds=game.time_bank) if seat.time_bank_left is None else seat.time_bank_left


def time_per_move(game: Game) -> timedelta:
    """The time for one decision, or with a time bank the time that each decision adds to it."""
    return timedelta(seconds=game.seconds_per_move or 0)


def cap_to_bank(game: Game, time: timedelta) -> timedelta:
    """The part of this time that fits into a time bank."""
    return time if game.time_bank_cap is None else min(time, timedelta(seconds=game.time_bank_cap))


def _is_player_away(game: Game, seat: Seat) -> bool:
    """Return whether a vacation stops the clock of the player to move in this seat.

    No query if the seat has `away`.
    """
    if game.is_live:
        return False
    if seat.user_id == game.waiting_for_id and hasattr(seat, "away"):
        return seat.away is not None
    return is_on_vacation(game.waiting_for_id)


def is_stopped_by_vacation(game: Game) -> bool:
    """Return whether a vacation of the player to move stops the clock, as it does in no live game."""
    return not game.is_live and is_on_vacation(game.waiting_for_id)


def is_on_vacation(user_id: int | None) -> bool:
    now = timezone.now()
    return Vacation.objects.filter(user=user_id, starts__lte=now, ends__gt=now).exists()


def _clock_time(game: Game) -> datetime:
    """The time that the clock of the player to move shows now; it stands still in an overload.

    That of a live game stands still whenever the site is away.
    """
    if game.deadline is None:
        return timezone.now()
    if game.is_live:
        return site_presence.clock_time(game.last_change_at)
    return overload.clock_time(game.deadline, game.last_change_at, banks_time=game.time_bank is not None)


def _set_clock_zone(game: Game) -> None:
    """Set the time zone of the player to move for as long as the clock runs.

    Otherwise a player could turn a day into a night or a weekend by changing the zone of the account.
    """
    game.clock_zone = (
        game.waiting_for.tzinfo.key if _has_pauses(game) and game.waiting_for is not None else ""
    )


def _has_pauses(game: Game) -> bool:
    """Return whether nights or weekends stop the clock; a live game keeps the choice for play by mail."""
    return game.clock_pauses != Game.ClockPauses.NONE and not game.is_live


def hours(game: Game) -> ClockHours:
    """The hours in which the clock of the player to move runs."""
    if not _has_pauses(game) or game.waiting_for_id is None:
        return ClockHours()
    zone = ZoneInfo(game.clock_zone) if game.clock_zone else None
    if zone is None:
        # Not before it must be: lists of games do not load the player to move.
        assert game.waiting_for is not None
        zone = game.waiting_for.tzinfo
    return ClockHours(
        zone,
        nights=game.clock_pauses in (Game.ClockPauses.NIGHTS, Game.ClockPauses.BOTH),
        weekends=game.clock_pauses in (Game.ClockPauses.WEEKENDS, Game.ClockPauses.BOTH),
    )


def instant_with_share_left(game: Game, share: float) -> datetime:
    """The instant at which this share of the time for the decision is left; the clock must run."""
    assert game.deadline is not None
    seat = Seat(time_bank_left=None)
    if game.time_bank is not None:
        # A move has already loaded the seats.
        seat = next(seat for seat in game.seats.all() if seat.user_id == game.waiting_for_id)
    return clock_hours.instant_with_left(game.deadline, share * full_time(game, seat), hours(game))
