"""Concessions: a bot plays on, and the player ranks below everybody who stayed."""

from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.play.game_columns import refresh_position, set_end
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.players.admission import lock_admitted_user
from games.refusals import NotSeated, NotYourDecision


@transaction.atomic
def concede(*, game_id: int, by: User) -> None:
    """Give up the user's seat for good; conceding again changes nothing.

    The game ends when no opponent or no person is left. Raises what `lock_admitted_user` raises, NotSeated,
    and NotYourDecision once the game is over.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == by.pk), None)
    if seat is None:
        raise NotSeated
    if seat.concession_order is not None:
        return
    if not game.is_running:
        raise NotYourDecision
    seat.concession_order = 1 + sum(other.concession_order is not None for other in seats)
    if ends_the_game(seats, seat):
        seat.save(update_fields=["concession_order"])
        set_end(game, Game.Ending.CONCEDED)
    else:
        seat.bot_level, seat.replacement_vote_open = STAND_IN_LEVEL, False
        seat.replaced_at = seat.reserved_until = None
        columns = ["bot_level", "replaced_at", "reserved_until", "replacement_vote_open"]
        seat.save(update_fields=["concession_order", *columns])
        refresh_position(game, seats)
    enter_ruling(game, Ruling("concede", seat.number), seat=seat.number, by=by)
    end_votes.settle_vote(game, seats)


def ends_the_game(seats: Sequence[Seat], seat: Seat) -> bool:
    """Return whether the game ends with this concession: one seat stays, or only bots do."""
    stay = [other for other in seats if other != seat and other.concession_order is None]
    return len(stay) == 1 or all(other.user_id is None for other in stay)
