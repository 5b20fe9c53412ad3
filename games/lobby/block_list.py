"""Blocking and unblocking members."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games.lobby.join_game import leave
from games.models import Block, Game, Invitation
from games.players.admission import lock_user
from games.refusals import GameNotOpen, MembersOnly, TooManyBlocks

MAX_BLOCKS = 200


@transaction.atomic
def block(user: User, person: User) -> None:
    """Block a person for the user; blocking again changes nothing, and nobody can block themselves.

    The user leaves the open games where both sit, and pending invitations between the two are withdrawn.
    Running games go on. Raises MembersOnly and TooManyBlocks.
    """
    if user.pk == person.pk:
        return
    if user.is_guest:
        raise MembersOnly
    _lock(user, person)
    if Block.objects.filter(user=user, person=person).exists():
        return
    if Block.objects.filter(user=user).count() >= MAX_BLOCKS:
        raise TooManyBlocks(MAX_BLOCKS)
    Block.objects.create(user=user, person=person)
    for game_id in waiting_together(user, person).order_by("pk").values_list("pk", flat=True):
        with suppress(GameNotOpen):  # it has started by now, so it goes on
            leave(game_id=game_id, user=user)
    invitations = Q(user=user, invited_by=person) | Q(user=person, invited_by=user)
    Invitation.objects.filter(
        invitations, state=Invitation.State.PENDING, game__status=Game.Status.OPEN
    ).delete()


def unblock(user: User, person: User) -> None:
    Block.objects.filter(user=user, person=person).delete()


def waiting_together(user: User, person: User) -> QuerySet[Game]:
    """The open games in which both have a seat, including those of withheld rule systems."""
    waiting = Game.all_games.filter(status=Game.Status.OPEN, seats__user=user)
    return waiting.filter(pk__in=Game.all_games.filter(seats__user=person).values("pk"))


def _lock(*people: User) -> None:
    """Lock both rows, always in the same order; joining and inviting lock the user's own row first."""
    for person in sorted(people, key=lambda person: person.pk):
        lock_user(person)
