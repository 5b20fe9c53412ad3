"""Replacements of players in running games: by a bot, by the returning player, or by another member."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import BotAccount, User
from accounts.refusals import Refusal
from games.clocks import game_clock
from games.clocks.on_time_rate import count_lost_seat, uncount_lost_seat, unreliable
from games.log import rulings
from games.log.handovers import losses_of
from games.log.rulings import Ruling
from games.models import Game, LogEntry, Seat
from games.notifications import notify
from games.play.game_columns import refresh_position
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import end_votes, pace_votes
from games.play.seats.seat_handover import STAND_IN_LEVEL, hide_earlier_team_chat
from games.play.seats.seat_reservations import replace_for_now
from games.players import blocks, limits
from games.players.admission import lock_admitted_user
from games.players.invitations import invitations_for
from games.refusals import (
    AlreadySeated,
    BlockedFromTable,
    BotAccountsNotAllowed,
    GuestsPlayComputers,
    ModeratorMayNotPlay,
    NotInvited,
    NotReliableEnough,
    NotSeated,
    NotYourDecision,
    OwnBotAtTable,
    PausedByModerator,
    SeatLostForGood,
    SeatNotFree,
    SeatNotReplaced,
    TooManyGames,
)


def replace_by_bot(game: Game, seats: list[Seat], seat: Seat) -> None:
    """Let a stand-in play for the person of this seat, who timed out; the player may come back.

    The game is locked.
    """
    _stand_in(game, seats, seat, Ruling("keeps", seat.number))
    if seat.user_id is not None:
        notify.notify_timeout(game, seat.user_id)


def keep_seat(game: Game, seats: list[Seat], seat: Seat) -> None:
    """Let a stand-in keep the seat of a person who has left a live game; the player may come back.

    What is left of the player's clock is stored, with or without a time bank. The game is locked.
    """
    if game.time_bank is None:
        seat.time_bank_left = game_clock.time_left(game, seat)
        seat.save(update_fields=["time_bank_left"])
    _stand_in(game, seats, seat, Ruling("leaves", seat.number))


def _stand_in(game: Game, seats: list[Seat], seat: Seat, ruling: Ruling) -> None:
    seat.bot_level = STAND_IN_LEVEL
    replace_for_now(game, seat)
    seat.replacement_vote_open = False
    seat.save(update_fields=["bot_level", "replaced_at", "reserved_until", "replacement_vote_open"])
    refresh_position(game, seats)
    enter_ruling(game, ruling, seat=seat.number)
    if seat.user_id is not None:
        count_lost_seat(seat.user_id)
    end_votes.settle_vote(game, seats)
    pace_votes.settle_vote(game, seats)


@transaction.atomic
def reclaim_seat(*, game_id: int, user: User) -> None:
    """Take the user's seat back from the stand-in.

    After an absence from a live game in which the stand-in decided nothing, the clock goes on where it
    stood, and the seat does not count as lost unless it has to decide now.

    Raises NotYourDecision, NotSeated and SeatNotReplaced.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    if not game.is_running:
        raise NotYourDecision
    seats = list(game.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise NotSeated
    if not seat.can_be_reclaimed:
        raise SeatNotReplaced
    is_as_left = _is_as_left(game, seat)
    if is_as_left and game.seat_to_move != seat.number:
        uncount_lost_seat(user.pk)
    goes_on = is_as_left and game.is_live
    _replace_by_member(game, seats, seat, user, Ruling("returns", seat.number), goes_on=goes_on)


def _is_as_left(game: Game, seat: Seat) -> bool:
    """Return whether the player of this seat has left a live game and nothing was decided there since."""
    since = game.moves.filter(seat=seat.number, created_at__gte=seat.replaced_at)
    left = since.filter(kind=LogEntry.Kind.RULING, text=str(Ruling("leaves", seat.number)))
    return left.exists() and not since.filter(kind=LogEntry.Kind.MOVE).exists()


@transaction.atomic
def take_over_seat(*, game_id: int, number: int, user: User) -> None:
    """Take the seat of a player who left and for whom a stand-in plays; notifies that player.

    Raises what `reason_against_taking_over` returns.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    if reason := reason_against_taking_over(game, seats, number, user):
        raise reason
    seat = seats[number]
    lost_by, before = seat.user_id, seat.user_id or seat.nickname
    seat.user, seat.nickname, seat.grace_used = user, "", False
    hide_earlier_team_chat(game, seat)
    end_votes.forget_votes_of_seat(game, seat)
    # Refer to members by key: a name in the log would outlive a name change.
    _replace_by_member(game, seats, seat, user, rulings.handover_ruling(number, user.pk, before))
    if lost_by is not None:
        notify.notify_seat_lost(game, lost_by, user)


def reason_against_taking_over(game: Game, seats: list[Seat], number: int, user: User) -> Refusal | None:
    """Return why this user cannot take over that seat of a game, or None.

    The refusal is NotYourDecision, PausedByModerator, SeatNotFree, BotAccountsNotAllowed,
    GuestsPlayComputers, AlreadySeated, SeatLostForGood, ModeratorMayNotPlay, NotInvited, BlockedFromTable,
    OwnBotAtTable, NotReliableEnough, or TooManyGames. Blocks of the seat's former player do not count.
    """
    if not game.is_running:
        return NotYourDecision()
    if game.held_at is not None:
        return PausedByModerator()
    if number not in range(len(seats)) or not seats[number].can_be_taken_over:
        return SeatNotFree()
    return _reasons(game, seats, [seats[number]], user)[0]


def seats_to_take_over(game: Game, seats: list[Seat], user: User) -> list[Seat]:
    """The seats of a table that this user may take over, found in two queries at most."""
    vacated = [seat for seat in seats if seat.can_be_taken_over]
    if not vacated or not game.is_running or game.held_at is not None:
        return []
    reasons = _reasons(game, seats, vacated, user)
    return [seat for seat, reason in zip(vacated, reasons, strict=True) if reason is None]


def _reasons(game: Game, seats: list[Seat], vacated: list[Seat], user: User) -> list[Refusal | None]:
    """For each of these seats the refusal that keeps the user from taking it over, or None."""
    if user.is_bot_account:
        return [BotAccountsNotAllowed()] * len(vacated)
    if user.is_guest:
        return [GuestsPlayComputers()] * len(vacated)
    if any(seat.user_id == user.pk for seat in seats):
        return [AlreadySeated()] * len(vacated)
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    sent_away, apart_from = blocks.kicked_or_blocked(game, user, people)
    by_invitation = game.visibility == Game.Visibility.INVITED and game.host_id != user.pk
    known = (
        limits.with_unfinished(User.objects.filter(pk=user.pk))
        .annotate(
            invited=Exists(invitations_for(game, user)),
            meets_own=Exists(BotAccount.objects.filter(owner=OuterRef("pk"), user__in=people)),
            lost_seat=Exists(losses_of(user.pk).filter(game=game)),
            overseer=Exists(blocks.moderated_by(game, OuterRef("pk"))),
            unreliable=Exists(unreliable(game.min_on_time_percent or 0).filter(user=OuterRef("pk"))),
        )
        .get()
    )

    def reason(seat: Seat) -> Refusal | None:
        if known.lost_seat:
            return SeatLostForGood()
        if known.overseer:
            return ModeratorMayNotPlay()
        if sent_away or (by_invitation and not known.invited):
            return NotInvited()
        if apart_from & (people - {seat.user_id}):
            return BlockedFromTable()
        if game.rated and known.meets_own:
            return OwnBotAtTable()
        if game.min_on_time_percent and known.unreliable:
            return NotReliableEnough(game.min_on_time_percent)
        if known.unfinished >= limits.MAX_UNFINISHED_GAMES:
            return TooManyGames(limits.MAX_UNFINISHED_GAMES)
        return None

    return [reason(seat) for seat in vacated]


def _replace_by_member(
    game: Game, seats: list[Seat], seat: Seat, user: User, ruling: Ruling, *, goes_on: bool = False
) -> None:
    """Let the user play in this seat.

    The clock `goes_on` where it stood when the seat was kept: otherwise a player could get time again and
    again by leaving. Else there is at least the time of one move.
    """
    seat.bot_level = ""
    seat.replaced_at = seat.reserved_until = None
    left = seat.time_bank_left if goes_on else None
    if game.time_bank is not None and not goes_on:
        seat.time_bank_left = game_clock.cap_to_bank(
            game, max(seat.time_bank_left or timedelta(), game_clock.time_per_move(game))
        )
    elif game.time_bank is None and game.is_live:
        seat.time_bank_left = None
    seat.save()
    refresh_position(game, seats)
    if left is not None and game.seat_to_move == seat.number:
        game_clock.set_time_left(game, left)
    enter_ruling(game, ruling, seat=seat.number, by=user)
