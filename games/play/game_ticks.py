"""Ticks to open pages, and requests for bot moves, after a game has changed."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.play.bots import bot_schedule
from games.play.spectator_position import shows_more, version_shown
from games.realtime import ticks, worker_queue


def schedule_ticks(game: Game, *, besides: Iterable[User] = ()) -> None:
    """Send ticks to open pages after the commit, and request a worker if a bot is to move.

    The pages of the players and of the users in `besides` get one. Lists of games get one unless the change
    is a move in the middle of a game. In a late game spectators get one only if they now see more.
    """
    seats = list(game.seats.all())
    users = {seat.owner_id for seat in seats if seat.owner_id is not None} | {user.pk for user in besides}
    begin = None
    if game.bot_due_at is not None and game.seat_to_move is not None:
        begin = bot_schedule.search_start(game.system, seats[game.seat_to_move].bot_level, game.bot_due_at)
    update = partial(
        send_update,
        game.pk,
        game.public_id,
        game.version,
        users=sorted(users),
        begin=begin,
        shown=version_shown(game) if shows_more(game) else None,
        lobby=_changes_public_lists(game),
    )
    transaction.on_commit(update, robust=True)


def send_update(
    game_id: int,
    public_id: str,
    version: int,
    *,
    users: Sequence[int],
    begin: datetime | None,
    lobby: bool,
    shown: int | None,
) -> None:
    """Send the version of the game to open pages; if `begin` is set, request a bot move for that time.

    `shown` is the version that spectators see, None if they see nothing new.
    """
    if shown is None:
        ticks.send_tick_to(users, public_id, version)
    else:
        ticks.send_tick(public_id, version, users, lobby=lobby, shown=shown)
    if begin is not None:
        worker_queue.request_bot_move(game_id, version, begin)


def _changes_public_lists(game: Game) -> bool:
    public = game.visibility == Game.Visibility.PUBLIC
    return public and (game.version == 0 or not game.is_running)
