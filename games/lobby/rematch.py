"""Rematches."""

from django.db import transaction

from accounts.models import User
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite
from games.lobby.join_game import join
from games.lobby.practice_table import repeat_practice
from games.models import Game, Seat
from games.play.game_lock import lock_game
from games.players import blocks
from games.players.admission import lock_admitted_user
from games.refusals import GameNotFinished, NotSeated


@transaction.atomic
def start_rematch(*, game_id: int, by: User) -> Game:
    """Open a rematch of a finished game with `by` as host, and invite the same people.

    If a rematch is already open, `by` joins it; against bots only, and at a practice table, one that already
    runs is returned. Raises GameNotFinished, NotSeated, and what `create_game` and `join` raise.
    """
    lock_admitted_user(by)
    old = lock_game(game_id)
    if not old.is_finished:
        raise GameNotFinished
    seats = list(old.seats.select_related("user"))
    if not any(seat.owner_id == by.pk for seat in seats):
        raise NotSeated
    if old.is_practice:
        return repeat_practice(old, seats, by)
    if waiting := old.again.filter(status=Game.Status.OPEN).first():
        return join(game_id=waiting.pk, user=by)
    if running := _running_alone(old, by):
        return running
    mine = next((seat.number for seat in seats if seat.user_id == by.pk), 0)
    game = create_game(host=by, terms=GameTerms.of(old, seats, mine), again_of=old)
    for seat in seats:
        if seat.user and seat.user_id != by.pk and _is_asked(seat.user, by):
            invite(game_id=game.pk, user=seat.user, by=by)
    return game


def _is_asked(user: User, by: User) -> bool:
    return (
        user.is_active
        and not (user.is_guest or user.is_suspended)
        and not blocks.is_blocked_between(by, user)
    )


def _running_alone(old: Game, by: User) -> Game | None:
    """The running rematch of `by` against bots only, or None."""
    with_others = Seat.objects.filter(user__isnull=False).exclude(user=by).values("game")
    running = old.again.filter(status=Game.Status.RUNNING, seats__user=by)
    return running.exclude(pk__in=with_others).first()
