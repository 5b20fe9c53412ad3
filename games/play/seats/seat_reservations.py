"""Reservations of seats in which a bot stands in: for a while only the player can come back."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.utils import timezone

from games.clocks import game_clock
from games.models import Game, Seat

# A seat is reserved for its player for as long as a decision takes, but no longer than the first of these. In
# a live game it is reserved for the second.
MAX_RESERVED: Final = timedelta(days=1)
LIVE_RESERVED: Final = timedelta(minutes=5)


def replace_for_now(game: Game, seat: Seat) -> None:
    """Note that a bot stands in for the player of this seat, who can take it back; does not save."""
    seat.replaced_at = timezone.now()
    seat.reserved_until = seat.replaced_at + reserved_time(game)


def reserve_again(game: Game, seats: Sequence[Seat]) -> list[Seat]:
    """Count the reservations that have not ended from now, at the pace of the game; return their seats.

    They last as long as they can in a game without a time limit.
    """
    reserved = [seat for seat in seats if seat.can_be_reclaimed and not seat.can_be_taken_over]
    for seat in reserved:
        seat.reserved_until = timezone.now() + (reserved_time(game) or MAX_RESERVED)
        seat.save(update_fields=["reserved_until"])
    return reserved


def reserved_time(game: Game) -> timedelta:
    """The time for which nobody else can take over the seat of a player for whom a bot stands in."""
    if game.is_live:
        return LIVE_RESERVED
    return min(game_clock.time_per_move(game), MAX_RESERVED)
