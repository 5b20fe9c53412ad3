"""Sitting down before the start, standing up, and being sent away."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.clocks.on_time_rate import is_reliable
from games.lobby import game_start
from games.lobby.stale_games import close_game
from games.models import DepartureCount, Game, Invitation, Kick, Seat
from games.notifications import notify
from games.play.game_lock import lock_game, lock_paused_game
from games.play.game_ticks import schedule_ticks
from games.players import blocks, bot_owners, limits
from games.players.admission import lock_admitted_user
from games.players.invitations import invitations_for
from games.refusals import (
    BlockedFromTable,
    BotAccountsNotAllowed,
    GameNotOpen,
    GuestsPlayComputers,
    InviteLinkRequired,
    Kicked,
    LeftTooOften,
    NotAtTable,
    NotHost,
    NotInvited,
    NotReliableEnough,
    OwnBotAtTable,
    PausedByModerator,
    TableFull,
    TooManyGames,
)


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
    number = next(number for number in range(game.max_players) if number not in taken)
    Seat.objects.create(game=game, number=number, user=user)
    invitations_for(game, user, code).update(state=Invitation.State.ACCEPTED)
    _count(game, len(seats) + 1)
    notify.seat_taken(game, user)
    if not game.free_seats and game.start == Game.Start.FULL:
        game_start.deal_game(game)
    else:
        if game.start == Game.Start.HOST and (game.seats_taken == game.min_players or not game.free_seats):
            notify.game_ready(game)
        schedule_ticks(game)
    return game


def reason_against(game: Game, user: User, code: str = "") -> Refusal | None:
    """Why this user cannot take a seat, None when nothing is against it: said before and at the door.

    NotOpen, Held, GuestsPlayComputers, Kicked, NotInvited, NoLink, NoPrograms, KeptApart, LeftTooOften,
    NotReliable, Full, MeetsOwn, or TooManyGames. Whom the host invites need not be reliable.
    """
    if not game.is_open:
        return GameNotOpen()
    if game.held_at is not None:
        return PausedByModerator()
    if user.is_guest:
        return GuestsPlayComputers()
    if kick := game.kicks.filter(user=user).first():
        return Kicked(kick.reason)
    if game.visibility != Game.Visibility.PUBLIC and not _is_let_in(game, user, code):
        return InviteLinkRequired() if game.visibility == Game.Visibility.UNLISTED else NotInvited()
    if user.is_bot_account and not (game.bots_allowed or _is_asked(game, user, code)):
        return BotAccountsNotAllowed()
    if blocks.with_any(user, _people(game)):
        return BlockedFromTable()
    if _left_too_often(game, user) and not _is_asked(game, user, code):
        return LeftTooOften()
    if (
        game.min_on_time_percent
        and not is_reliable(user, game.min_on_time_percent)
        and not _is_asked(game, user, code)
    ):
        return NotReliableEnough(game.min_on_time_percent)
    if not game.free_seats:
        return TableFull()
    if game.rated and bot_owners.meets_own_bot(user, _people(game)):
        return OwnBotAtTable()
    if limits.is_at_game_limit(user):
        return TooManyGames(limits.MAX_UNFINISHED_GAMES)
    return None


def _is_let_in(game: Game, user: User, code: str) -> bool:
    by_link = game.visibility == Game.Visibility.UNLISTED and code == game.invite_code
    return by_link or invitations_for(game, user, code).exists()


def _people(game: Game) -> list[int]:
    return [seat.user_id for seat in game.seats.all() if seat.user_id is not None]


def _left_too_often(game: Game, user: User) -> bool:
    return game.departures.filter(user=user, times__gte=limits.MAX_DEPARTURES).exists()


def _is_asked(game: Game, user: User, code: str) -> bool:
    """Whether an invitation waits for the user's answer; one that was accepted brings nobody back."""
    return invitations_for(game, user, code).filter(state=Invitation.State.PENDING).exists()


@transaction.atomic
def leave(*, game_id: int, user: User) -> bool:
    """Stand up from an open game, and tell whether the user sat there; nothing happens to who does not.

    A host who leaves hands over to whoever waits longest; without anybody, or with programs alone, the game
    is closed.
    Raises NotOpen.
    """
    game = lock_paused_game(game_id)
    if not game.is_open:
        raise GameNotOpen
    seats = list(game.seats.select_related("user"))
    if not any(seat.user_id == user.pk for seat in seats):
        return False
    left = _empty(game, seats, user)
    _count_departure(game, user)
    notify.seat_left(game, user)
    people = [seat.user for seat in left if seat.user and not seat.user.is_bot_account]
    if not people:
        close_game(game, "empty")
    elif game.host_id == user.pk:
        game.host = people[0]
        game.save(update_fields=["host"])
        notify.host_changed(game, user)
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
        raise GameNotOpen
    seats = list(game.seats.select_related("user"))
    if user.pk == by.pk or not any(seat.user_id == user.pk for seat in seats):
        raise NotAtTable
    if not reason.strip():
        raise ValueError("Who is sent away is told why.")
    Kick.objects.create(game=game, user=user, reason=reason.strip())
    invitations_for(game, user).delete()
    _empty(game, seats, user)
    notify.kicked(game, user, reason.strip())
    schedule_ticks(game, besides=[user])


def _count_departure(game: Game, user: User) -> None:
    """Each change of a seat is told to the host, so nobody may change it without end."""
    departure, is_new = DepartureCount.objects.get_or_create(game=game, user=user)
    if not is_new:
        departure.times += 1
        departure.save(update_fields=["times"])


def _empty(game: Game, seats: list[Seat], user: User) -> list[Seat]:
    """Take the user's seat away and move the people behind it up, for their order is that of joining."""
    game.seats.filter(user=user).delete()
    left = [seat for seat in seats if seat.user_id != user.pk]
    taken = {seat.number for seat in left if seat.bot_level}
    free = (number for number in range(game.max_players) if number not in taken)
    for seat in left:
        if not seat.bot_level and seat.number != (number := next(free)):
            seat.number = number
            seat.save(update_fields=["number"])
    _count(game, len(left))
    return left


def _count(game: Game, taken: int) -> None:
    game.seats_taken = taken
    game.last_change_at = timezone.now()
    game.save(update_fields=["seats_taken", "last_change_at"])
