"""Invite people to a game before it starts."""

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.models import Game, Invitation
from games.notifications import notify
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.players import blocks, limits
from games.players.admission import lock_admitted_user
from games.refusals import (
    AlreadySeated,
    CannotBeInvited,
    GameNotOpen,
    GuestsPlayComputers,
    InvitationDeclined,
    NotHost,
)


@transaction.atomic
def invite(*, game_id: int, user: User, by: User) -> Invitation:
    """Invite a member to an open game; inviting twice is inviting once, and a kick is undone.

    A member who had accepted and has left since is invited anew. Raises NotHost, GameNotOpen,
    GuestsPlayComputers, AlreadySeated, CannotBeInvited, InvitationDeclined and TooManyInvitations.
    """
    lock_admitted_user(by)
    limits.check_invitations(by)
    game = _lock(game_id, by)
    if user.is_guest:
        raise GuestsPlayComputers
    if game.seats.filter(user=user).exists():
        raise AlreadySeated
    if user.is_suspended or blocks.is_blocked_between(by, user):
        raise CannotBeInvited
    game.kicks.filter(user=user).delete()
    # The seat is empty, so the member has left since accepting.
    game.invitations.filter(user=user, state=Invitation.State.ACCEPTED).delete()
    return _invite(game, by, user=user)


@transaction.atomic
def invite_address(*, game_id: int, address: str, by: User) -> Invitation:
    """Invite a mail address to an open game; does not send the mail itself.

    Raises NotHost, GameNotOpen, InvitationDeclined and TooManyInvitations.
    """
    lock_admitted_user(by)
    limits.check_invitations(by)
    game = _lock(game_id, by)
    known = game.invitations.filter(address__iexact=address).first()
    return _invite(game, by, address=known.address if known else address)


def is_invited(game: Game, who: str) -> bool:
    """Return whether the member of this name, or this address, has an invitation that waits for an answer."""
    pending = game.invitations.filter(state=Invitation.State.PENDING)
    return pending.filter(Q(user__username__iexact=who) | Q(address__iexact=who)).exists()


@transaction.atomic
def decline(*, game_id: int, user: User, code: str = "") -> bool:
    """Decline the user's invitation, or that of the code; return whether there was one."""
    game = lock_game(game_id)
    pending = game.invitations.filter(state=Invitation.State.PENDING)
    mine = list(
        pending.filter(user=user) | (pending.filter(code=code, user=None) if code else pending.none())
    )
    for invitation in mine:
        invitation.state = Invitation.State.DECLINED
        invitation.save(update_fields=["state"])
    schedule_ticks(game, besides=[user])
    return bool(mine)


def _lock(game_id: int, by: User) -> Game:
    game = lock_game(game_id)
    if game.host_id != by.pk:
        raise NotHost
    if not game.is_open:
        raise GameNotOpen
    return game


def _invite(game: Game, by: User, *, user: User | None = None, address: str = "") -> Invitation:
    invitation, is_new = game.invitations.get_or_create(
        user=user, address=address, defaults={"invited_by": by}
    )
    if invitation.state == Invitation.State.DECLINED:
        raise InvitationDeclined
    if is_new or invitation.state == Invitation.State.ACCEPTED:
        # An accepted invitation means that the person has left since: nobody invites a seated player.
        invitation.state = Invitation.State.PENDING
        invitation.save(update_fields=["state"])
        notify.notify_invited(game, invitation)
        schedule_ticks(game, besides=[user] if user else [])
    return invitation
