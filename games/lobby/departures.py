"""Take a user who leaves the site or is banned out of all games."""

import logging

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.lobby.join_game import leave
from games.lobby.practice_table import leave_practice
from games.models import (
    DepartureCount,
    Invitation,
    Kick,
    NewGameDefaults,
    PlannedTurn,
    QueuedPlayer,
    Seat,
    StandingOrder,
)
from games.play.seats.seat_handover import hand_over_seat
from games.players.invitations import invitations_of
from games.processes import task_failures
from games.refusals import GameNotOpen

logger = logging.getLogger(__name__)


def leave_all_games(user: User) -> None:
    """Take a user who leaves the site out of all open games, and let bots play on in those that run.

    Also deletes the user's invitations, kicks, orders and plans, and the defaults for new games.
    """
    for game_id in Seat.objects.filter(user=user, ended=None).values_list("game", flat=True):
        _give_up(game_id, user)
    leave_practice(user)
    invitations_of(user).delete()
    for model in (DepartureCount, Kick, StandingOrder, PlannedTurn):
        model.objects.filter(user=user).delete()
    NewGameDefaults.objects.filter(user=user).delete()
    QueuedPlayer.objects.filter(user=user).delete()


def forfeit_all_seats(user: User) -> None:
    """Take a banned user out of all games with others, in the caller's transaction.

    Open games go on without the user, bots play on in those that run, and pending invitations by or for
    the user are withdrawn. A game where that fails is logged; its clock runs on.
    """
    held = Seat.objects.filter(user=user, ended=None).order_by("game")
    for game_id in held.values_list("game", flat=True):
        try:
            with transaction.atomic():
                _give_up(game_id, user)
        except Exception as error:  # one broken game must not stop the departure
            logger.exception("The seat of user %s in game %s could not be given up", user.pk, game_id)
            task_failures.record("giving up the seat of a banned member", error)
    waiting = Invitation.objects.filter(state=Invitation.State.PENDING)
    waiting.filter(Q(invited_by=user) | Q(pk__in=invitations_of(user))).delete()
    for model in (StandingOrder, PlannedTurn, QueuedPlayer):
        model.objects.filter(user=user).delete()


def _give_up(game_id: int, user: User) -> None:
    try:
        leave(game_id=game_id, user=user)
    except GameNotOpen:
        hand_over_seat(game_id=game_id, user=user)
