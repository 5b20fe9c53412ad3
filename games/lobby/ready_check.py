"""The ready check: before a live game starts, everyone says that they are ready."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.lobby import live_queue
from games.lobby.game_start import deal_game
from games.lobby.join_game import count_departure, find_host
from games.lobby.open_seats import end_ready_check, is_seated, remove_player
from games.models import Game, Seat
from games.notifications import notify
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.players.admission import lock_admitted_user
from games.refusals import GameNotOpen, NoReadyCheck, NotSeated


@transaction.atomic
def answer(*, game_id: int, user: User) -> Game:
    """Say that a player is ready, and return the game; the last one to say so starts it.

    A game that runs already is returned as it is. With too few players left the check is over. Raises what
    `lock_admitted_user` and `lock_game` raise, NotSeated, GameNotOpen, and NoReadyCheck if nobody is asked.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    if not is_seated(seats, user):
        raise NotSeated
    if game.is_running:
        return game
    if not game.is_open:
        raise GameNotOpen
    if game.ready_by is None:
        raise NoReadyCheck
    game.seats.filter(user=user).update(is_ready=True)
    if all(seat.user_id == user.pk for seat in unready(seats)):
        _end(game, user)
    else:
        schedule_ticks(game)
    return game


@transaction.atomic
def settle(game_id: int) -> None:
    """Take their seats from players who have not answered; does nothing before the time is up.

    The others keep theirs and wait for players, or wait in the queue again if it has made the game. A game
    without players is closed. If nobody was absent, the game starts.
    """
    game = lock_game(game_id)
    if game.ready_by is None or game.ready_by > timezone.now():
        return
    left = list(game.seats.select_related("user"))
    absent = [seat.user for seat in unready(left) if seat.user is not None]
    if not absent:
        _end(game)
        return
    for user in absent:
        left = remove_player(game, left, user)
        count_departure(game, user, missed_ready_check=True)
        notify.notify_unready(game, user)
    old_host = next((user for user in absent if user.pk == game.host_id), None)
    if not live_queue.put_back(game, left) and old_host is not None:
        find_host(game, left, old_host)
    schedule_ticks(game, besides=absent)


def _end(game: Game, by: User | None = None) -> None:
    """End the check of a locked game whose players are all ready, and start the game; `by` was the last.

    It does not start with too few players. An earlier version of the site, which may still be at work during
    an upgrade, does not end the check when somebody leaves.
    """
    if game.seats_taken >= game.min_players:
        deal_game(game, by)
        return
    end_ready_check(game)
    game.save(update_fields=["ready_by"])
    schedule_ticks(game)


def unready(seats: Sequence[Seat]) -> list[Seat]:
    """The seats of people who have not answered the ready check of their game."""
    return [seat for seat in seats if seat.user_id is not None and not seat.is_ready]
