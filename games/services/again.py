"""The same game once more."""

from django.db import transaction

from accounts.models import User
from games.models import Game, Seat

from . import apart
from .admission import lock_admitted_user
from .errors import NotOver, NotSeated
from .game_lock import lock_game
from .inviting import invite
from .joining import join
from .practice import practise_again
from .starting import create_game
from .terms import Terms


@transaction.atomic
def same_again(*, game_id: int, by: User) -> Game:
    """Open a game on the terms of one that is over, with `by` as its host, and ask the same people to it.

    When somebody was faster, `by` sits down in the game that is open already; against computers alone, and
    at a practice table, the game that runs already is the one. Raises NotOver, NotSeated, and what
    `create_game` and `join` raise.
    """
    lock_admitted_user(by)
    old = lock_game(game_id)
    if not old.is_finished:
        raise NotOver
    seats = list(old.seats.select_related("user"))
    if not any(seat.owner_id == by.pk for seat in seats):
        raise NotSeated
    if old.practice:
        return practise_again(old, seats, by)
    if waiting := old.again.filter(status=Game.Status.OPEN).first():
        return join(game_id=waiting.pk, user=by)
    if running := _running_alone(old, by):
        return running
    game = create_game(host=by, terms=Terms.of(old, seats), again_of=old)
    for seat in seats:
        if seat.user and seat.user_id != by.pk and _is_asked(seat.user, by):
            invite(game_id=game.pk, user=seat.user, by=by)
    return game


def _is_asked(user: User, by: User) -> bool:
    return user.is_active and not (user.is_guest or user.is_shut_out) and not apart.between(by, user)


def _running_alone(old: Game, by: User) -> Game | None:
    """The game that `by` plays already instead of the old one, with nobody but computers."""
    with_others = Seat.objects.filter(user__isnull=False).exclude(user=by).values("game")
    running = old.again.filter(status=Game.Status.RUNNING, seats__user=by)
    return running.exclude(pk__in=with_others).first()
