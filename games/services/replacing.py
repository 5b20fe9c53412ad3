"""Somebody else in a player's place while a game runs: a computer, the player again, or another member."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import Program, User
from accounts.services.refusals import Refusal
from games.models import Game, Seat

from . import apart, limits, notifying, rulings, timekeeping, voting
from .admission import lock_admitted_user
from .errors import (
    GuestsPlayComputers,
    Held,
    KeptApart,
    MeetsOwn,
    NoPrograms,
    NotAway,
    NotInvited,
    NotReliable,
    NotSeated,
    OtherDecision,
    Overseer,
    SeatedAlready,
    SeatNotFree,
    TooManyGames,
)
from .game_columns import set_position
from .game_lock import lock_game
from .joining import invitations_for
from .reliability import count_left, unreliable
from .ruling_entry import enter_ruling
from .rulings import Ruling
from .seating import STAND_IN


def put_computer(game: Game, seats: list[Seat], seat: Seat) -> None:
    """Let a computer play for the person of this seat of a locked game, who may come back."""
    seat.computer = STAND_IN
    seat.vacated = timezone.now()
    seat.in_question = False
    seat.save(update_fields=["computer", "vacated", "in_question"])
    _enter(game, seats, Ruling("keeps", seat.number), seat)
    if seat.user_id is not None:
        count_left(seat.user_id)
        notifying.ran_late(game, seat.user_id)
    voting.count(game, seats)


@transaction.atomic
def come_back(*, game_id: int, user: User) -> None:
    """Take the own seat back from the computer that played on. Raises OtherDecision, NotSeated, NotAway."""
    lock_admitted_user(user)
    game = lock_game(game_id)
    if not game.is_running:
        raise OtherDecision
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise NotSeated
    if not seat.is_kept:
        raise NotAway
    _put_person(game, seats, seat, user, Ruling("returns", seat.number))


@transaction.atomic
def take_over(*, game_id: int, number: int, user: User) -> None:
    """Sit down where a computer plays for somebody who left.

    Raises what `reason_against_taking_over` says.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    if reason := reason_against_taking_over(game, seats, number, user):
        raise reason
    seat = seats[number]
    before = seat.user_id or seat.nickname
    seat.user, seat.nickname, seat.grace_used = user, "", False
    voting.forget(game, seat)
    # Members are told by their keys: a name in the log would stay when its owner gives it up.
    _put_person(game, seats, seat, user, rulings.handed_over(number, user.pk, before))


def reason_against_taking_over(game: Game, seats: list[Seat], number: int, user: User) -> Refusal | None:
    """Why this user cannot take over that seat of a game, None when nothing is against it.

    OtherDecision, Held, SeatNotFree, GuestsPlayComputers, SeatedAlready, Overseer, NotInvited,
    KeptApart, MeetsOwn, NotReliable, or TooManyGames. Whose seat it was is at the table no more.
    """
    if not game.is_running:
        return OtherDecision()
    if game.held is not None:
        return Held()
    if number not in range(len(seats)) or seats[number].vacated is None:
        return SeatNotFree()
    return _reasons(game, seats, [seats[number]], user)[0]


def seats_to_take_over(game: Game, seats: list[Seat], user: User) -> list[Seat]:
    """The seats of a table that this user may take over; two queries at most, however many are vacated."""
    vacated = [seat for seat in seats if seat.vacated is not None]
    if not vacated or not game.is_running or game.held is not None:
        return []
    reasons = _reasons(game, seats, vacated, user)
    return [seat for seat, reason in zip(vacated, reasons, strict=True) if reason is None]


def _reasons(game: Game, seats: list[Seat], vacated: list[Seat], user: User) -> list[Refusal | None]:
    """What is against it that the user takes over each of these seats, or None."""
    if user.is_program:
        return [NoPrograms()] * len(vacated)
    if user.is_guest:
        return [GuestsPlayComputers()] * len(vacated)
    if any(seat.user_id == user.pk for seat in seats):
        return [SeatedAlready()] * len(vacated)
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    sent_away, apart_from = apart.barred(game, user, people)
    by_invitation = game.visibility == Game.Visibility.INVITED and game.host_id != user.pk
    known = (
        limits.with_unfinished(User.objects.filter(pk=user.pk))
        .annotate(
            invited=Exists(invitations_for(game, user)),
            meets_own=Exists(Program.objects.filter(owner=OuterRef("pk"), user__in=people)),
            overseer=Exists(apart.overseen(game, OuterRef("pk"))),
            unreliable=Exists(unreliable(game.reliable or 0).filter(user=OuterRef("pk"))),
        )
        .get()
    )

    def reason(seat: Seat) -> Refusal | None:
        if known.overseer:
            return Overseer()
        if sent_away or (by_invitation and not known.invited):
            return NotInvited()
        if apart_from & (people - {seat.user_id}):
            return KeptApart()
        if game.rated and known.meets_own:
            return MeetsOwn()
        if game.reliable and known.unreliable:
            return NotReliable(game.reliable)
        return TooManyGames(limits.MOST_UNFINISHED) if known.unfinished >= limits.MOST_UNFINISHED else None

    return [reason(seat) for seat in vacated]


def _put_person(game: Game, seats: list[Seat], seat: Seat, user: User, ruling: Ruling) -> None:
    seat.computer = ""
    seat.vacated = None
    if game.bank is not None:
        seat.left = timekeeping.in_bank(game, max(seat.left or timedelta(), timekeeping.one_decision(game)))
    seat.save()
    _enter(game, seats, ruling, seat, user)


def _enter(game: Game, seats: list[Seat], ruling: Ruling, seat: Seat, by: User | None = None) -> None:
    """Enter the ruling, and ask anew whoever is to decide by now."""
    set_position(game, game.rule_system.from_json(game.state), seats, after=None)
    enter_ruling(game, ruling, seat=seat.number, by=by)
