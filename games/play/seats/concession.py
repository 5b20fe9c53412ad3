"""Concessions: a bot plays on, and the player ranks below everybody who stayed.

In a team game a team concedes as a whole, once each of its people wants to. Until then only partners know who
does, and who wants to may change their mind.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.log.concession_wishes import WISH, wishes
from games.log.rulings import Ruling
from games.models import Game, Seat, Vote
from games.notifications import notify
from games.play.game_columns import refresh_position, set_end
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes, pace_votes
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.players.admission import lock_admitted_user
from games.refusals import NotSeated, NotYourDecision


@transaction.atomic
def concede(*, game_id: int, by: User) -> None:
    """Give up the user's seat for good; conceding again changes nothing.

    In a team game this is a wish until all the people of the team have it. The game ends when no opponent or
    no person is left. Raises what `lock_admitted_user` raises, NotSeated, and NotYourDecision once the game
    is over.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == by.pk), None)
    if seat is None:
        raise NotSeated
    if seat.concession_order is not None:
        return
    if not game.is_running:
        raise NotYourDecision
    side = partners_of(seats, seat)
    if len(side) > 1:
        vote = {"yes": True, "version": game.version}
        _, is_new = Vote.objects.get_or_create(
            game=game, what=WISH, seat=seat.number, closed=None, defaults=vote
        )
        if wanted := wanted_of(game, seats, seat):
            # No tick: it would tell the opponents, and pages ask for nothing without a newer version.
            if is_new:
                notify.notify_wish(game, [one.user_id for one in wanted if one.user_id is not None], by)
            return
        game.votes.filter(what=WISH, closed=None, seat__in=[one.number for one in side]).update(
            closed=timezone.now()
        )
    _concede(game, seats, side, by)


@transaction.atomic
def withdraw(*, game_id: int, by: User) -> None:
    """Take back the user's wish that the team concedes; without one nothing changes.

    Raises what `lock_admitted_user` and `lock_game` raise, and NotSeated.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seat = game.seats.filter(user=by).first()
    if seat is None:
        raise NotSeated
    game.votes.filter(what=WISH, closed=None, seat=seat.number).delete()
    notify.drop_wish(game, by)


def partners_of(seats: Sequence[Seat], seat: Seat) -> list[Seat]:
    """The seats that concede together with this one, itself among them."""
    return [other for other in seats if other == seat or (seat.team is not None and other.team == seat.team)]


def wanted_of(game: Game, seats: Sequence[Seat], seat: Seat) -> list[Seat]:
    """The people of the seat's team who do not want to concede so far, as long as a seat is kept for them.

    Bot accounts are not asked, as in other votes.
    """
    wish = wishes(game)
    return [
        other
        for other in partners_of(seats, seat)
        if other.user_id is not None
        and not other.is_bot_account
        and not other.can_be_taken_over
        and other.number not in wish
    ]


def _concede(game: Game, seats: Sequence[Seat], side: Sequence[Seat], by: User) -> None:
    """Let these seats of a locked game concede, which are one player's or those of a team."""
    gone = sum(other.concession_order is not None for other in seats)
    is_over = ends_the_game(seats, side)
    for order, seat in enumerate(side, start=gone + 1):
        seat.concession_order = order
        if is_over:
            seat.save(update_fields=["concession_order"])
        else:
            # A bot of the site stays what it is.
            seat.bot_level = STAND_IN_LEVEL if seat.user_id is not None else seat.bot_level
            seat.replacement_vote_open = False
            seat.replaced_at = seat.reserved_until = None
            columns = ["bot_level", "replaced_at", "reserved_until", "replacement_vote_open"]
            seat.save(update_fields=["concession_order", *columns])
    if is_over:
        set_end(game, Game.Ending.CONCEDED)
    else:
        refresh_position(game, list(seats))
    for seat in side:
        # Each of these rulings may tell that the game is over; only the last one shall.
        notify.drop_end(game)
        enter_ruling(game, Ruling("concede", seat.number), seat=seat.number, by=by)
    end_votes.settle_vote(game, seats)
    pace_votes.settle_vote(game, seats)


def ends_the_game(seats: Sequence[Seat], side: Sequence[Seat]) -> bool:
    """Return whether the game ends when this side concedes: one side stays, or only bots do."""
    stay = [other for other in seats if other not in side and other.concession_order is None]
    teams = {other.number if other.team is None else other.team for other in stay}
    return len(teams) == 1 or all(other.user_id is None for other in stay)
