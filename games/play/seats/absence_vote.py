"""The others vote on somebody who let the time run out: does a computer decide once, or take the seat?

More than half of them decide at once; when their time is over, the larger number of those who have voted.
Who is late may decide all the while. A tie spares the seat.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.clocks import game_clock
from games.log.rulings import Ruling
from games.models import Game, Seat, Vote
from games.notifications import notify
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import substitutes
from games.players.admission import lock_admitted_user
from games.refusals import NotSeated, NotYourDecision

# They have as long as for a decision of their own, and no longer than this.
LONGEST_VOTE = timedelta(days=1)


def replacement_voters(seats: list[Seat], late: Seat) -> list[Seat]:
    """The people who have a voice in it: all who play, but for programs, and for whom it is about."""
    people = [seat for seat in seats if seat.user_id and not seat.is_bot_account]
    return [seat for seat in people if not seat.is_bot_playing and seat != late]


def open_replacement_vote(game: Game, seats: list[Seat], late: Seat) -> None:
    """Put the question about a seat of a locked game to the others."""
    votes(game, late).update(closed=timezone.now())
    late.replacement_vote_open = True
    late.save(update_fields=["replacement_vote_open"])
    game_clock.set_clock(game, min(game_clock.time_per_move(game), LONGEST_VOTE), game_clock.hours(game))
    enter_ruling(game, Ruling("question", what=str(_keep_ruling(late))), seat=late.number)
    notify.asked_to_vote(game, [seat.user_id for seat in replacement_voters(seats, late) if seat.user_id])


@transaction.atomic
def vote_on_absent(*, game_id: int, user: User, replace: bool) -> None:
    """Say whether a computer takes the seat of whoever is late; one may change one's mind in time.

    Raises OtherDecision when that is not asked (any more), NotSeated for who has no voice in it.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.select_related("user"))
    late = next((seat for seat in seats if seat.replacement_vote_open), None)
    if late is None or not game.is_running:
        raise NotYourDecision
    voter = next((seat for seat in replacement_voters(seats, late) if seat.user_id == user.pk), None)
    if voter is None:
        raise NotSeated
    values = {"yes": replace, "version": game.version, "made": timezone.now()}
    Vote.objects.update_or_create(
        values, game=game, what=str(_keep_ruling(late)), seat=voter.number, closed=None
    )
    said = Ruling("agrees" if replace else "refuses", voter.number, what=str(_keep_ruling(late)))
    most = len(replacement_voters(seats, late)) / 2
    cast = list(votes(game, late).values_list("yes", flat=True))
    if cast.count(False) >= most:
        # It is decided: the sweeper lets a computer decide once.
        game.deadline = timezone.now()
    enter_ruling(game, said, seat=voter.number, by=user)
    if cast.count(True) > most:
        substitutes.replace_by_bot(game, seats, late)


def replacement_vote(game: Game, late: Seat, voter: Seat) -> bool | None:
    """Whether this voter wants a computer to take the seat; None before an answer."""
    return votes(game, late).filter(seat=voter.number).values_list("yes", flat=True).first()


def is_to_be_replaced(game: Game, late: Seat) -> bool:
    """Whether more of those who have voted want a computer to take the seat."""
    cast = list(votes(game, late).values_list("yes", flat=True))
    return cast.count(True) > cast.count(False)


def votes(game: Game, late: Seat) -> QuerySet[Vote]:
    """The votes about this seat that count now."""
    return game.votes.filter(what=str(_keep_ruling(late)), closed=None)


def _keep_ruling(late: Seat) -> Ruling:
    return Ruling("keeps", late.number)
