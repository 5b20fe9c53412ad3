"""Check that a move may be made by its author, now and for its place in the log."""

from dataclasses import replace

from django.utils import timezone

from accounts.models import User
from games.models import Game, Move, Seat

from . import limits
from .errors import NotOverdue, NotYourSeat, OtherDecision, Stale, StandIn
from .log_writer import Turn, author_columns


def check_turn(game: Game, number: int, seat: int, text: str, by: User | None, overdue: bool) -> Turn:
    """Return the turn of a seat in a locked game, `repeated` if the same move was made for the place before.

    Raises NotYourSeat, StandIn, Stale, OtherDecision, NotOverdue, TooFast, and InvalidMove of the rules.
    """
    if not game.is_dealt:
        raise OtherDecision
    seats = list(game.seats.all())
    check_seat(seats, seat, by, overdue)
    system = game.rule_system
    turn = Turn(seats, system.parse_move(text), author_columns(by, overdue))
    if number <= game.version:
        return replace(turn, repeated=find_repeat(game, number, seat, str(turn.move)))
    if number > game.version + 1:
        raise Stale
    if not game.is_running:
        raise OtherDecision
    state = system.from_json(game.state)
    if system.decider(state) != seat:
        raise OtherDecision
    if overdue and (game.deadline is None or game.deadline > timezone.now()):
        raise NotOverdue
    if by is not None:
        limits.check_moves(by)
    return replace(turn, state=state)


def check_seat(seats: list[Seat], number: int, by: User | None, overdue: bool) -> None:
    """Raise NotYourSeat or StandIn unless the author of a move plays for the seat.

    A member plays an own seat, a bot one that nobody holds, the house one whose player's time is up.
    """
    if number not in range(len(seats)):
        raise NotYourSeat
    owner = seats[number].owner_id
    if seats[number].by_computer:
        if by is not None and owner == by.pk:
            raise StandIn
        owner = None
    if owner is None if overdue else owner != (by.pk if by else None):
        raise NotYourSeat


def find_repeat(game: Game, number: int, seat: int, text: str) -> Move:
    """The entry at this place of the log if it is the same move. Raises Stale if it is not."""
    entry = game.moves.filter(number=number, kind=Move.Kind.MOVE, seat=seat, text=text).first()
    if entry is None:
        raise Stale
    return entry
