"""Checks that a move may be made by its author, now and for its place in the log."""

from dataclasses import replace

from accounts.models import User
from games.clocks import game_clock
from games.log.rulings import parse_ruling
from games.models import Game, LogEntry, Seat
from games.play.log_writer import Turn, author_columns
from games.players import limits
from games.refusals import BotIsPlaying, NotOverdue, NotYourDecision, NotYourSeat, StalePosition

# Rulings that leave the decision as it was, so that a move that was sent before them still counts.
_BESIDE_THE_GAME = frozenset(
    ("proposes", "agrees", "refuses", "withdraws", "paces", "extends", "leaves", "returns")
)


def check_turn(game: Game, number: int, seat: int, text: str, by: User | None, overdue: bool) -> Turn:
    """Return the turn of a seat in a locked game; `repeated` is set if the same move was made before.

    Raises NotYourSeat, BotIsPlaying, StalePosition, NotYourDecision, NotOverdue, TooManyMoves, and
    IllegalMove.
    """
    if not game.is_dealt:
        raise NotYourDecision
    seats = list(game.seats.all())
    check_seat(seats, seat, by, overdue)
    system = game.rule_system
    turn = Turn(seats, system.parse_move(text), author_columns(by, overdue))
    if number <= game.version:
        number = _after_rulings_beside(game, number)
    if number <= game.version:
        return replace(turn, repeated=find_repeat(game, number, seat, str(turn.move)))
    if number > game.version + 1:
        raise StalePosition
    if not game.is_running:
        raise NotYourDecision
    state = system.state_from_json(game.state)
    if system.decider(state) != seat:
        raise NotYourDecision
    if overdue and not game_clock.is_time_up(game):
        raise NotOverdue
    if by is not None:
        limits.check_moves(by)
    return replace(turn, state=state)


def check_seat(seats: list[Seat], number: int, by: User | None, overdue: bool) -> None:
    """Raise NotYourSeat or BotIsPlaying unless the author of a move plays for the seat.

    Members play their own seats, bots play seats without a person or with a stand-in, and the site plays the
    seat of a player whose time is up.
    """
    if number not in range(len(seats)):
        raise NotYourSeat
    owner = seats[number].owner_id
    if seats[number].is_bot_playing:
        if by is not None and owner == by.pk:
            raise BotIsPlaying
        owner = None
    if owner is None if overdue else owner != (by.pk if by else None):
        raise NotYourSeat


def _after_rulings_beside(game: Game, number: int) -> int:
    """The place in the log after the rulings that stand from this place on and changed no decision."""
    later = game.moves.filter(number__gte=number, number__lte=game.version).order_by("number")
    for kind, text in later.values_list("kind", "text"):
        if kind != LogEntry.Kind.RULING or parse_ruling(text).kind not in _BESIDE_THE_GAME:
            break
        number += 1
    return number


def find_repeat(game: Game, number: int, seat: int, text: str) -> LogEntry:
    """Return the entry at this place of the log if it is the same move; raise StalePosition if not."""
    entry = game.moves.filter(number=number, kind=LogEntry.Kind.MOVE, seat=seat, text=text).first()
    if entry is None:
        raise StalePosition
    return entry
