"""Log entries of moves and rulings."""

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games.clocks import game_clock
from games.models import Game, LogEntry, Seat
from games.play import finished_game
from games.play.automation import plan_store
from games.play.game_columns import set_position

# The columns of a game that an entry may change; the deal is not among them.
ENTRY_COLUMNS = [
    "state", "version", "seat_to_move", "decision_kind", "waiting_for", "deadline", "time_left",
    "clock_zone", "bot_due_at", "answer_due_at", "paused", "held_at", "deleted", "rated", "last_change_at",
    "finished", "status", "ending", "ended_by_moderator",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """A move of the seat to move, with the state and the seats of its game.

    `author` holds the columns of the entry that tell who makes it; `origin` is set for an automatic move.
    `repeated` is the entry of the same move if it was made before; `state` is None then.
    """

    seats: list[Seat]
    move: Any
    author: dict[str, Any]
    origin: str = ""
    state: Any = None
    repeated: LogEntry | None = None


def make_move(game: Game, turn: Turn) -> LogEntry:
    """Make a move in a locked game and return its log entry.

    Raises IllegalMove. The caller has checked that the move comes from the seat to move.
    """
    system, state = game.rule_system, turn.state
    seat, player = system.decider(state), state.turn
    system.check_move(state, turn.move)
    left = game_clock.time_left(game, turn.seats[seat])
    events = system.play(state, turn.move)
    set_position(game, state, turn.seats, after=seat, automatic=turn.origin == LogEntry.Origin.FORCED_MOVE)
    if state.turn != player:
        plan_store.delete_finished_plan(game, turn.seats[player])
    return write_entry(
        game,
        seat=seat,
        text=str(turn.move),
        events=[system.event_to_json(event) for event in events],
        time_left=left,
        origin=turn.origin,
        **turn.author,
    )


def write_entry(game: Game, **columns: Any) -> LogEntry:
    """Save the game, write the next entry of its log with these columns, and return the entry."""
    game.version += 1
    save_columns(game)
    if game.finished:
        game.seats.update(ended=game.finished)
        game.votes.filter(closed=None).update(closed=game.finished)
        plan_store.delete_all_plans(game)
        finished_game.mark_result_due(game)
        finished_game.begin_review(game)
    return LogEntry.objects.create(game=game, number=game.version, created_at=game.last_change_at, **columns)


def save_columns(game: Game) -> None:
    """Save the columns that an entry may change, without writing an entry."""
    game.save(update_fields=ENTRY_COLUMNS)


def author_columns(by: User | None, overdue: bool = False) -> dict[str, Any]:
    """The columns of an entry that tell who made a move.

    `by` is None for a bot, and with `overdue` for the site, which moves when the player's time is up.
    """
    nobody = LogEntry.Author.HOUSE if overdue else LogEntry.Author.COMPUTER
    return {"user": by, "author": LogEntry.Author.PERSON if by else nobody}
