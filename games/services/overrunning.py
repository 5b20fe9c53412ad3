"""What follows when the time of a person is over: grace, once, and then what the table has chosen."""

from enum import Enum, auto

from django.db import transaction
from django.utils import timezone

from games.models import Game, Seat

from . import absence, computers, notifying, replacing, timekeeping
from .game_lock import lock_game
from .ruling_entry import enter_ruling
from .rulings import Ruling


class _Step(Enum):
    NONE, DONE, DECIDE = auto(), auto(), auto()


def settle_overdue(game_id: int, version: int) -> bool:
    """Do what follows in a game whose time was over at this version; whether anything was done.

    Assumes to be late or second: if the game has moved on, or there is time left, nothing happens.
    """
    step = _settle(game_id, version)
    if step is _Step.DECIDE:
        return computers.decide_overdue(game_id, version)
    return step is _Step.DONE


@transaction.atomic
def _settle(game_id: int, version: int) -> _Step:
    game = lock_game(game_id)
    if game.version != version or game.deadline is None or game.deadline > timezone.now():
        return _Step.NONE
    seats = list(game.seats.select_related("user"))
    assert game.decider is not None
    late = seats[game.decider]
    if not late.grace_used:
        _give_grace(game, late)
    elif game.overrun == Game.Overrun.TAKE or (late.in_question and absence.is_to_be_replaced(game, late)):
        replacing.put_computer(game, seats, late)
    elif game.overrun == Game.Overrun.VOTE and not late.in_question and absence.voters(seats, late):
        absence.ask(game, seats, late)
    else:
        return _Step.DECIDE
    return _Step.DONE


def _give_grace(game: Game, seat: Seat) -> None:
    """Give whoever is asked in this seat the time for one decision more: once in a game."""
    grace = timekeeping.one_decision(game)
    seat.grace_used = True
    if game.bank is not None:
        seat.left = grace
    seat.save(update_fields=["grace_used", "left"])
    timekeeping.set_clock(game, grace, timekeeping.hours(game))
    enter_ruling(game, Ruling("grace", seat.number), seat=seat.number)
    if seat.user_id is not None:
        notifying.ran_late(game, seat.user_id)
