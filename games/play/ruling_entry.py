"""Rulings in the log, and the automatic moves, notifications and ticks that follow them."""

from typing import Any

from django.utils import timezone

from accounts.models import User
from games.log.positions import rollback_target
from games.log.rulings import Ruling
from games.models import Game, LogEntry
from games.notifications import notify
from games.play.automation import plan_store
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.game_ticks import schedule_ticks
from games.play.log_writer import write_entry
from games.players import limits


def enter_ruling(game: Game, ruling: Ruling, *, seat: int | None = None, by: User | None = None) -> LogEntry:
    """Enter a ruling into the log of a locked game, save the game, and return the log entry.

    `seat` is the seat that the ruling is about or comes from, `by` its author, None for the site. A ruling
    made by a user counts as a move: raises TooManyMoves.
    """
    if by is not None:
        limits.check_moves(by)
    author = LogEntry.Author.PERSON if by else LogEntry.Author.HOUSE
    game.last_change_at = timezone.now()
    if ruling.kind == "back":
        # Players who take a move back want to decide anew, so their plan must not answer.
        plan_store.stop_plan_after_takeback(game)
    return write_ruling(game, seat=seat, text=str(ruling), user=by, author=author)


def enter_moderator_ruling(
    game: Game, ruling: Ruling, *, seat: int | None = None, reason: str = "", over: bool = False
) -> LogEntry:
    """Enter a moderator's ruling into the log of a dealt game, with a reason for the players.

    In a game that was `over` before, no automatic moves and no notifications follow.
    """
    columns = {"seat": seat, "text": str(ruling), "reason": reason, "author": LogEntry.Author.MODERATOR}
    game.last_change_at = timezone.now()
    if not over:
        return write_ruling(game, **columns)
    entry = write_entry(game, kind=LogEntry.Kind.RULING, **columns)
    schedule_ticks(game)
    return entry


def write_ruling(game: Game, **columns: Any) -> LogEntry:
    """Write a ruling with these columns, complete it, and return the log entry."""
    entry = write_entry(game, kind=LogEntry.Kind.RULING, **columns)
    complete_ruling(game, entry)
    return entry


def complete_ruling(game: Game, entry: LogEntry) -> None:
    """Play the automatic moves that follow a ruling, notify, and send ticks.

    After a takeback or rollback the player decides anew, so no automatic move is played.
    """
    if rollback_target(entry) is None:
        play_automatic_moves(game)
    notify.notify_entry(game, entry)
    schedule_ticks(game)


def complete_stored_answer(game: Game, by: User) -> None:
    """Play the automatic moves that a new order or plan leads to; notify and send ticks if there are any."""
    version = game.version
    play_automatic_moves(game, by_id=by.pk)
    if game.version > version:
        complete_automatic_moves(game)


def complete_automatic_moves(game: Game) -> None:
    """Notify and send ticks after automatic moves that followed no entry."""
    notify.notify_entry(game, game.moves.get(number=game.version))
    schedule_ticks(game)
