"""Handover of a seat to a bot when its player leaves the site."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.log.rulings import Ruling
from games.play.game_columns import set_position
from games.play.game_lock import lock_paused_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes
from games.players.nicknames import free_nicknames

# The level of every stand-in; each rule system has it.
STAND_IN_LEVEL = "medium"


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
    if seat.concession_order is None:
        seat.replaced_at = timezone.now()
    seat.save()
    end_votes.forget_votes_of_seat(game, seat)
    state = game.rule_system.state_from_json(game.state)
    set_position(game, state, seats, after=None)
    enter_ruling(game, Ruling("takes", seat.number), seat=seat.number)
    end_votes.settle_vote(game, seats)
