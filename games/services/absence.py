"""The others vote on somebody who let the time run out: does a computer decide once, or take the seat?

More than half of them decide at once; when their time is over, the larger number of those who have voted.
Who is late may decide all the while. A tie spares the seat.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Game, Seat, Vote

from . import notifying, replacing, timekeeping
from .admission import lock_admitted_user
from .errors import NotSeated, OtherDecision
from .game_lock import lock_game
from .ruling_entry import enter_ruling
from .rulings import Ruling

# They have as long as for a decision of their own, and no longer than this.
LONGEST_VOTE = timedelta(days=1)


def voters(seats: list[Seat], late: Seat) -> list[Seat]:
    """The people who have a voice in it: all who play, but for programs, and for whom it is about."""
    people = [seat for seat in seats if seat.user_id and not seat.is_programs]
    return [seat for seat in people if not seat.by_computer and seat != late]


def ask(game: Game, seats: list[Seat], late: Seat) -> None:
    """Put the question about a seat of a locked game to the others."""
    votes(game, late).update(closed=timezone.now())
    late.in_question = True
    late.save(update_fields=["in_question"])
    timekeeping.set_clock(game, min(timekeeping.one_decision(game), LONGEST_VOTE), timekeeping.hours(game))
    enter_ruling(game, Ruling("question", what=str(_keeps(late))), seat=late.number)
    notifying.asked_to_vote(game, [seat.user_id for seat in voters(seats, late) if seat.user_id])


@transaction.atomic
def vote_on_absent(*, game_id: int, user: User, replace: bool) -> None:
    """Say whether a computer takes the seat of whoever is late; one may change one's mind in time.

    Raises OtherDecision when that is not asked (any more), NotSeated for who has no voice in it.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.select_related("user"))
    late = next((seat for seat in seats if seat.in_question), None)
    if late is None or not game.is_running:
        raise OtherDecision
    voter = next((seat for seat in voters(seats, late) if seat.user_id == user.pk), None)
    if voter is None:
        raise NotSeated
    values = {"yes": replace, "version": game.version, "made": timezone.now()}
    Vote.objects.update_or_create(values, game=game, what=str(_keeps(late)), seat=voter.number, closed=None)
    said = Ruling("agrees" if replace else "refuses", voter.number, what=str(_keeps(late)))
    most = len(voters(seats, late)) / 2
    cast = list(votes(game, late).values_list("yes", flat=True))
    if cast.count(False) >= most:
        # It is decided: the sweeper lets a computer decide once.
        game.deadline = timezone.now()
    enter_ruling(game, said, seat=voter.number, by=user)
    if cast.count(True) > most:
        replacing.put_computer(game, seats, late)


def vote_of(game: Game, late: Seat, voter: Seat) -> bool | None:
    """Whether this voter wants a computer to take the seat; None before an answer."""
    return votes(game, late).filter(seat=voter.number).values_list("yes", flat=True).first()


def is_to_be_replaced(game: Game, late: Seat) -> bool:
    """Whether more of those who have voted want a computer to take the seat."""
    cast = list(votes(game, late).values_list("yes", flat=True))
    return cast.count(True) > cast.count(False)


def votes(game: Game, late: Seat) -> QuerySet[Vote]:
    """The votes about this seat that count now."""
    return game.votes.filter(what=str(_keeps(late)), closed=None)


def _keeps(late: Seat) -> Ruling:
    return Ruling("keeps", late.number)
