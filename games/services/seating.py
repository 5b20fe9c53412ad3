"""Who sits where, once a game runs."""

import logging

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.models import Departure, Invitation, Kick, LastChoices, Order, Plan, Seat

from . import voting
from .errors import NotOpen
from .game_columns import set_position
from .game_lock import lock_paused_game
from .inviting import invitations_of
from .joining import leave
from .practice import leave_practice
from .ruling_entry import enter_ruling
from .rulings import Ruling
from .starting import free_nicknames

log = logging.getLogger(__name__)

# The level that plays on for somebody who left; every rule system has it.
STAND_IN = "medium"


def hand_over_seats(user: User) -> None:
    """Leave all open games of a user who leaves the site, and let computers play on in those that run.

    What others had asked or told this user, and what was kept for the next game, is forgotten.
    """
    for game_id in Seat.objects.filter(user=user, ended=None).values_list("game", flat=True):
        _give_up(game_id, user)
    leave_practice(user)
    invitations_of(user).delete()
    for model in (Departure, Kick, Order, Plan):
        model.objects.filter(user=user).delete()
    LastChoices.objects.filter(user=user).delete()


def give_up_seats(user: User) -> None:
    """Take a user who is shut out for good from all tables with others, in the caller's transaction.

    Open games go on without the user, computers play on in those that run, and invitations by or for the
    user that wait for an answer are withdrawn. A game where that fails is logged: there the clock goes on.
    """
    held = Seat.objects.filter(user=user, ended=None).order_by("game")
    for game_id in held.values_list("game", flat=True):
        try:
            with transaction.atomic():
                _give_up(game_id, user)
        except Exception:  # one broken game must not keep anybody here
            log.exception("The seat of user %s in game %s could not be given up", user.pk, game_id)
    waiting = Invitation.objects.filter(state=Invitation.State.PENDING)
    waiting.filter(Q(invited_by=user) | Q(pk__in=invitations_of(user))).delete()
    for model in (Order, Plan):
        model.objects.filter(user=user).delete()


def _give_up(game_id: int, user: User) -> None:
    try:
        leave(game_id=game_id, user=user)
    except NotOpen:
        hand_over(game_id=game_id, user=user)


@transaction.atomic
def hand_over(*, game_id: int, user: User) -> None:
    """Give the user's seat of a running game to a computer, by a ruling in the log; else do nothing."""
    game = lock_paused_game(game_id)
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None or not game.is_running:
        return
    # Whoever leaves the site leaves no name behind.
    [seat.nickname] = free_nicknames({seat.nickname for seat in seats}, 1)
    seat.user = None
    seat.computer = STAND_IN
    seat.in_question = False
    if seat.conceded is None:
        seat.vacated = timezone.now()
    seat.save()
    voting.forget(game, seat)
    state = game.rule_system.from_json(game.state)
    set_position(game, state, seats, after=None)
    enter_ruling(game, Ruling("takes", seat.number), seat=seat.number)
    voting.count(game, seats)
