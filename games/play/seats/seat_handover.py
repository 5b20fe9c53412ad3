"""Handover of a seat to a bot, for good when its player leaves the site."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.models.seat import STAND_IN_LEVEL
from games.play.game_columns import refresh_position
from games.play.game_lock import lock_paused_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes, pace_votes
from games.players.nicknames import free_nicknames


def hide_earlier_team_chat(game: Game, seat: Seat) -> None:
    """Let a new member of the seat read only what the team writes from now on; does not save."""
    seat.team_chat_since = game.lines.aggregate(last=Max("pk"))["last"] or 0


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
