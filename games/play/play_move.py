"""Play a move."""

from django.db import transaction

from accounts.models import User
from games.models import LogEntry
from games.notifications.notify import notify_entry
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.play.log_writer import make_move
from games.play.table_seats import load_seats
from games.play.turn_check import check_turn
from games.players.admission import lock_admitted_user


@transaction.atomic
def play_move(
    *, game_id: int, number: int, seat: int, text: str, by: User | None, overdue: bool = False
) -> LogEntry:
    """Play one move for a seat and return its log entry; the same move again returns the same entry.

    `number` is the place in the log that the move takes, `text` the move in the notation of the rule system,
    `by` its author, None for a bot. With `overdue` the site moves for a player whose time is up. The game of
    the entry is as it was when the lock ended, with its seats; see `games.play.game_view.view_after_move`.

    Raises what the steps raise; the game is unchanged then.
    """
    # Lock first: two browsers and a worker may come at once.
    lock_admitted_user(by)
    game = lock_game(game_id)
    load_seats(game)
    turn = check_turn(game, number, seat, text, by, overdue)
    if turn.repeated:
        return turn.repeated
    entry = make_move(game, turn)
    play_automatic_moves(game, by_id=by.pk if by else None)
    notify_entry(game, entry)
    schedule_ticks(game)
    return entry
