"""Handover of a seat to a bot, for good when its player leaves the site."""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from games.clocks import game_clock
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.models.seat import STAND_IN_LEVEL
from games.play.game_columns import refresh_position
from games.play.game_lock import lock_paused_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes, pace_votes
from games.players.nicknames import free_nicknames

# A seat is reserved for its player for as long as a decision takes, but no longer than the first of these. In
# a live game it is reserved for the second.
MAX_RESERVED: Final = timedelta(days=1)
LIVE_RESERVED: Final = timedelta(minutes=5)


def hide_earlier_team_chat(game: Game, seat: Seat) -> None:
    """Let a new member of the seat read only what the team writes from now on; does not save."""
    seat.team_chat_since = game.lines.aggregate(last=Max("pk"))["last"] or 0


def replace_for_now(game: Game, seat: Seat) -> None:
    """Note that a bot stands in for the player of this seat, who can take it back; does not save."""
    seat.replaced_at = timezone.now()
    seat.reserved_until = seat.replaced_at + reserved_time(game)


def reserved_time(game: Game) -> timedelta:
    """The time for which nobody else can take over the seat of a player for whom a bot stands in."""
    if game.is_live:
        return LIVE_RESERVED
    return min(game_clock.time_per_move(game), MAX_RESERVED)


@transaction.atomic
def hand_over_seat(*, game_id: int, user: User) -> None:
    """Give the user's seat of a running game to a bot, by a ruling in the log; else do nothing."""
    game = lock_paused_game(game_id)
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None or not game.is_running:
        return
    # No name of a user who has left the site may stay behind.
    [seat.nickname] = free_nicknames({seat.nickname for seat in seats}, 1)
    seat.user = None
    seat.bot_level = STAND_IN_LEVEL
    seat.replacement_vote_open = False
    seat.reserved_until = None
    if seat.concession_order is None:
        seat.replaced_at = timezone.now()
    seat.save()
    end_votes.forget_votes_of_seat(game, seat)
    refresh_position(game, seats)
    enter_ruling(game, Ruling("takes", seat.number), seat=seat.number)
    end_votes.settle_vote(game, seats)
    pace_votes.settle_vote(game, seats)
