"""The one door through which a move enters a game."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Move, Seat

from . import limits, record
from .errors import NotOverdue, NotYourSeat, OtherDecision, Stale, StandIn


@transaction.atomic
def play_move(
    *, game_id: int, number: int, seat: int, move: str, by: User | None, overdue: bool = False
) -> Move:
    """Play one move and return its entry in the log.

    `number` is the place in the log that the move takes, `move` its text in the notation of the
    rule system, `by` the person who submits it, None for a computer opponent. With `overdue` the
    house moves for a person whose time is over. The same move for the same place once more is the
    same success again, so double clicks and retries are harmless.

    Raises what `limits.admit` raises, NotYourSeat, StandIn, Stale, OtherDecision, NotOverdue, TooFast, and
    InvalidMove or IllegalMove of the rules. Whatever it raises, the game is unchanged.
    """
    if by is not None:
        limits.admit(by)
    # Lock first, then look: two browsers and a worker may come at once.
    game = record.lock(game_id)
    if not game.is_dealt:
        raise OtherDecision
    seats = list(game.seats.all())
    _check_seat(seats, seat, by, overdue)
    system = game.rule_system
    answer = system.parse_move(move)
    if number <= game.version:
        return _same_again(game, number, seat, str(answer))
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
    entry = record.play(game, state, seats, answer, **record.author_of(by, overdue))
    record.follow(game, entry)
    return entry


def _check_seat(seats: list[Seat], number: int, by: User | None, overdue: bool) -> None:
    """A person plays an own seat only, a computer where nobody sits, the house where a person sits."""
    if number not in range(len(seats)):
        raise NotYourSeat
    owner = seats[number].owner_id
    if seats[number].by_computer:
        if by is not None and owner == by.pk:
            raise StandIn
        owner = None
    if owner is None if overdue else owner != (by.pk if by else None):
        raise NotYourSeat


def _same_again(game: Game, number: int, seat: int, text: str) -> Move:
    entry = game.moves.filter(number=number, kind=Move.Kind.MOVE, seat=seat, text=text).first()
    if entry is None:
        raise Stale
    return entry
