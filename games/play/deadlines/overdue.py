"""Settlement of timeouts: grace once per game, then what the host has chosen; a live game has no grace."""

from enum import Enum, auto

from django.db import transaction

from games.clocks import game_clock
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.notifications import notify
from games.play.bots import bot_moves
from games.play.deadlines import outages, vacation_clocks
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import absence_vote, substitutes


class _TimeoutStep(Enum):
    NONE, DONE, DECIDE = auto(), auto(), auto()


def settle_timeout(game_id: int, version: int) -> bool:
    """Settle a timeout at this version of the game; return whether anything was done.

    The request may be late or repeated: if the game has moved on or there is time left, nothing happens.
    """
    step = _settle(game_id, version)
    if step is _TimeoutStep.DECIDE:
        return bot_moves.play_for_overdue(game_id, version)
    return step is _TimeoutStep.DONE


@transaction.atomic
def _settle(game_id: int, version: int) -> _TimeoutStep:
    game = lock_game(game_id)
    if game.version != version or not game_clock.is_time_up(game):
        return _TimeoutStep.NONE
    # An earlier part of the round may have failed to set this clock.
    if outages.owes_time(game) or vacation_clocks.should_stand(game):
        return _TimeoutStep.NONE
    seats = list(game.seats.select_related("user"))
    assert game.seat_to_move is not None
    late = seats[game.seat_to_move]
    if not late.grace_used and not game.is_live:
        _give_grace(game, late)
    elif game.on_timeout == Game.OnTimeout.TAKE or (
        late.replacement_vote_open and absence_vote.is_to_be_replaced(game, late)
    ):
        substitutes.replace_by_bot(game, seats, late)
    elif (
        game.on_timeout == Game.OnTimeout.VOTE
        and not late.replacement_vote_open
        and absence_vote.replacement_voters(seats, late)
    ):
        absence_vote.open_replacement_vote(game, seats, late)
    else:
        return _TimeoutStep.DECIDE
    return _TimeoutStep.DONE


def _give_grace(game: Game, seat: Seat) -> None:
    """Give the holder of this seat the time for one more decision, once per game."""
    grace = game_clock.time_per_move(game)
    seat.grace_used = True
    if game.time_bank is not None:
        seat.time_bank_left = grace
    seat.save(update_fields=["grace_used", "time_bank_left"])
    game_clock.set_clock(game, grace, game_clock.hours(game))
    enter_ruling(game, Ruling("grace", seat.number), seat=seat.number)
    if seat.user_id is not None:
        notify.notify_timeout(game, seat.user_id)
