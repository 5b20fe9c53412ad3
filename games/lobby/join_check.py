"""Checks whether a user may take a seat of an open game."""

from accounts.models import User
from accounts.refusals import Refusal
from games.clocks.on_time_rate import is_reliable
from games.models import Game, Invitation
from games.players import blocks, bot_owners, limits
from games.players.invitations import invitations_for
from games.refusals import (
    BlockedFromTable,
    BotAccountsNotAllowed,
    GameNotOpen,
    GuestsPlayComputers,
    InviteLinkRequired,
    Kicked,
    LeftTooOften,
    NotInvited,
    NotReliableEnough,
    OwnBotAtTable,
    PausedByModerator,
    TableFull,
    TooManyGames,
)


def check_joining(game: Game, user: User, code: str = "") -> None:
    """Raise the refusal that `reason_against` returns, if there is one."""
    if reason := reason_against(game, user, code):
        raise reason


def reason_against(game: Game, user: User, code: str = "") -> Refusal | None:
    """Return why this user cannot take a seat, or None; the waiting room shows it.

    A user with a pending invitation need not be reliable, and may be a bot account or have left often.
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
    """Return whether an invitation waits for the user's answer; an accepted one is used up."""
    return invitations_for(game, user, code).filter(state=Invitation.State.PENDING).exists()
