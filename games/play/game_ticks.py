"""Send ticks to open pages, and wake a worker for a bot, when a game has changed."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.models import User
from games.models import Game
from games.play.bots import bot_schedule
from games.realtime import ticks, worker_queue


def schedule_ticks(game: Game, *, besides: Iterable[User] = ()) -> None:
    """Send ticks to open pages after the commit, and ask a worker for the move of a bot that is to move.

    The pages of the players and of the users `besides` get one; lists of games do unless the game is in the
    middle of being played.
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
        lobby=_changes_public_lists(game),
    )
    transaction.on_commit(update, robust=True)


def send_update(
    game_id: int, public_id: str, version: int, *, users: Sequence[int], begin: datetime | None, lobby: bool
) -> None:
    """Tell open pages the version of the game; if a bot is to move, ask a worker to begin at that time."""
    ticks.send_tick(public_id, version, users, lobby=lobby)
    if begin is not None:
        worker_queue.request_bot_move(game_id, version, begin)


def _changes_public_lists(game: Game) -> bool:
    public = game.visibility == Game.Visibility.PUBLIC
    return public and (game.version == 0 or not game.is_running)
