"""Sitting down before the start, standing up, and being sent away."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services.refusals import Refusal
from games.models import Departure, Game, Invitation, Kick, Seat

from . import apart, limits, notifying, programs, starting
from .admission import lock_admitted_user
from .closing import close
from .errors import (
    Full,
    Gone,
    GuestsPlayComputers,
    Held,
    KeptApart,
    Kicked,
    LeftTooOften,
    MeetsOwn,
    NoLink,
    NoPrograms,
    NotHost,
    NotInvited,
    NotOpen,
    NotReliable,
    TooManyGames,
)
from .game_lock import lock_game, lock_paused_game
from .game_ticks import schedule_ticks
from .reliability import is_reliable


@transaction.atomic
def join(*, game_id: int, user: User, code: str = "") -> Game:
    """Take a free seat and return the game, which starts if it was the last one and its host wants so.

    `code` is that of the link by which the user came. Who sits there already is seated: the same
    success again. Raises what `lock_admitted_user` raises and what `reason_against` says.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    if any(seat.user_id == user.pk for seat in seats):
        return game
    if reason := reason_against(game, user, code):
        raise reason
    taken = {seat.number for seat in seats}
    number = next(number for number in range(game.most) if number not in taken)
    Seat.objects.create(game=game, number=number, user=user)
    invitations_for(game, user, code).update(state=Invitation.State.ACCEPTED)
    _count(game, len(seats) + 1)
    notifying.seat_taken(game, user)
    if not game.free and game.start == Game.Start.FULL:
        starting.deal(game)
    else:
        if game.start == Game.Start.HOST and (game.taken == game.least or not game.free):
            notifying.game_ready(game)
        schedule_ticks(game)
    return game


def reason_against(game: Game, user: User, code: str = "") -> Refusal | None:
    """Why this user cannot take a seat, None when nothing is against it: said before and at the door.

    NotOpen, Held, GuestsPlayComputers, Kicked, NotInvited, NoLink, NoPrograms, KeptApart, LeftTooOften,
    NotReliable, Full, MeetsOwn, or TooManyGames. Whom the host invites need not be reliable.
    """
    if not game.is_open:
        return NotOpen()
    if game.held is not None:
        return Held()
    if user.is_guest:
        return GuestsPlayComputers()
    if kick := game.kicks.filter(user=user).first():
        return Kicked(kick.reason)
    if game.visibility != Game.Visibility.PUBLIC and not _is_let_in(game, user, code):
        return NoLink() if game.visibility == Game.Visibility.UNLISTED else NotInvited()
    if user.is_program and not (game.programs or _is_asked(game, user, code)):
        return NoPrograms()
    if apart.with_any(user, _people(game)):
        return KeptApart()
    if _left_too_often(game, user) and not _is_asked(game, user, code):
        return LeftTooOften()
    if game.reliable and not is_reliable(user, game.reliable) and not _is_asked(game, user, code):
        return NotReliable(game.reliable)
    if not game.free:
        return Full()
    if game.rated and programs.meets_own(user, _people(game)):
        return MeetsOwn()
    if limits.has_enough(user):
        return TooManyGames(limits.MOST_UNFINISHED)
    return None


def _is_let_in(game: Game, user: User, code: str) -> bool:
    by_link = game.visibility == Game.Visibility.UNLISTED and code == game.invite_code
    return by_link or invitations_for(game, user, code).exists()


def _people(game: Game) -> list[int]:
    return [seat.user_id for seat in game.seats.all() if seat.user_id is not None]


def _left_too_often(game: Game, user: User) -> bool:
    return game.departures.filter(user=user, times__gte=limits.MOST_DEPARTURES).exists()


def _is_asked(game: Game, user: User, code: str) -> bool:
    """Whether an invitation waits for the user's answer; one that was accepted brings nobody back."""
    return invitations_for(game, user, code).filter(state=Invitation.State.PENDING).exists()


def invitations_for(game: Game, user: User, code: str = "") -> QuerySet[Invitation]:
    """The invitations of this game that are the user's, or open to whoever has the code: to one person."""
    theirs = Q(user=user)
    if code:
        theirs |= Q(code=code, user=None) & ~Q(state=Invitation.State.ACCEPTED)
    return game.invitations.filter(theirs)


@transaction.atomic
def leave(*, game_id: int, user: User) -> bool:
    """Stand up from an open game, and tell whether the user sat there; nothing happens to who does not.

    A host who leaves hands over to whoever waits longest; without anybody, or with programs alone, the game
    is closed.
    Raises NotOpen.
    """
    game = lock_paused_game(game_id)
    if not game.is_open:
        raise NotOpen
    seats = list(game.seats.select_related("user"))
    if not any(seat.user_id == user.pk for seat in seats):
        return False
    left = _empty(game, seats, user)
    _count_departure(game, user)
    notifying.seat_left(game, user)
    people = [seat.user for seat in left if seat.user and not seat.user.is_program]
    if not people:
        close(game, "empty")
    elif game.host_id == user.pk:
        game.host = people[0]
        game.save(update_fields=["host"])
        notifying.host_changed(game, user)
    schedule_ticks(game, besides=[user])
    return True


@transaction.atomic
def kick(*, game_id: int, user: User, by: User, reason: str) -> None:
    """Send somebody away before the start, for a reason that is told; only an invitation lets them back.

    Raises NotHost, NotOpen, Gone, and ValueError without a reason.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    if game.host_id != by.pk:
        raise NotHost
    if not game.is_open:
        raise NotOpen
    seats = list(game.seats.select_related("user"))
    if user.pk == by.pk or not any(seat.user_id == user.pk for seat in seats):
        raise Gone
    if not reason.strip():
        raise ValueError("Who is sent away is told why.")
    Kick.objects.create(game=game, user=user, reason=reason.strip())
    invitations_for(game, user).delete()
    _empty(game, seats, user)
    notifying.kicked(game, user, reason.strip())
    schedule_ticks(game, besides=[user])


def _count_departure(game: Game, user: User) -> None:
    """Each change of a seat is told to the host, so nobody may change it without end."""
    departure, is_new = Departure.objects.get_or_create(game=game, user=user)
    if not is_new:
        departure.times += 1
        departure.save(update_fields=["times"])


def _empty(game: Game, seats: list[Seat], user: User) -> list[Seat]:
    """Take the user's seat away and move the people behind it up, for their order is that of joining."""
    game.seats.filter(user=user).delete()
    left = [seat for seat in seats if seat.user_id != user.pk]
    taken = {seat.number for seat in left if seat.computer}
    free = (number for number in range(game.most) if number not in taken)
    for seat in left:
        if not seat.computer and seat.number != (number := next(free)):
            seat.number = number
            seat.save(update_fields=["number"])
    _count(game, len(left))
    return left


def _count(game: Game, taken: int) -> None:
    game.taken = taken
    game.moved = timezone.now()
    game.save(update_fields=["taken", "moved"])
