"""The vote of the other players on a player who timed out: replace the player by a bot or not.

More than half of the voters decide at once; when their time is up, the majority of the votes cast decides.
The player who timed out may still move in the meantime. A tie keeps the seat.
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

# Voters have as long as for a decision of their own, but no longer than this.
MAX_VOTE_TIME = timedelta(days=1)


def replacement_voters(seats: list[Seat], late: Seat) -> list[Seat]:
    """The seats that may vote: all people still playing, except bot accounts and the seat in question."""
    people = [seat for seat in seats if seat.user_id and not seat.is_bot_account]
    return [seat for seat in people if not seat.is_bot_playing and seat != late]


def open_replacement_vote(game: Game, seats: list[Seat], late: Seat) -> None:
    """Open a vote about a seat of a locked game and notify the voters."""
    votes(game, late).update(closed=timezone.now())
    late.replacement_vote_open = True
    late.save(update_fields=["replacement_vote_open"])
    game_clock.set_clock(game, min(game_clock.time_per_move(game), MAX_VOTE_TIME), game_clock.hours(game))
    enter_ruling(game, Ruling("question", what=str(_keep_ruling(late))), seat=late.number)
    notify.notify_voters(game, [seat.user_id for seat in replacement_voters(seats, late) if seat.user_id])


@transaction.atomic
def vote_on_absent(*, game_id: int, user: User, replace: bool) -> None:
    """Vote on replacing the player who timed out by a bot; a vote may be changed while it is open.

    Raises NotYourDecision if no vote is open, and NotSeated if the user may not vote.
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
        # The vote has failed, so the sweeper lets a bot make just this decision.
        game.deadline = timezone.now()
    enter_ruling(game, said, seat=voter.number, by=user)
    if cast.count(True) > most:
        substitutes.replace_by_bot(game, seats, late)


def replacement_vote(game: Game, late: Seat, voter: Seat) -> bool | None:
    """Return whether this voter wants a bot to take the seat; None before the vote."""
    return votes(game, late).filter(seat=voter.number).values_list("yes", flat=True).first()


def is_to_be_replaced(game: Game, late: Seat) -> bool:
    """Return whether a majority of the votes cast wants a bot to take the seat."""
    cast = list(votes(game, late).values_list("yes", flat=True))
    return cast.count(True) > cast.count(False)


def votes(game: Game, late: Seat) -> QuerySet[Vote]:
    """The votes on this seat that count now."""
    return game.votes.filter(what=str(_keep_ruling(late)), closed=None)


def _keep_ruling(late: Seat) -> Ruling:
    return Ruling("keeps", late.number)
