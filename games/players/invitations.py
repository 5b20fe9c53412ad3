"""Invitations of a user, by name, mail address or invite code."""

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from games.models import Game, Invitation


def invitations_of(user: User) -> QuerySet[Invitation]:
    """All invitations of the user, by name or by a confirmed mail address."""
    addresses = confirmed_addresses().filter(user=user).values_list(Lower("email"))
    return Invitation.objects.alias(to=Lower("address")).filter(Q(user=user) | Q(to__in=addresses))


def invitations_for(game: Game, user: User, code: str = "") -> QuerySet[Invitation]:
    """The game's invitations of the user, and those that the code opens to one person."""
    theirs = Q(user=user)
    if code:
        theirs |= Q(code=code, user=None) & ~Q(state=Invitation.State.ACCEPTED)
    return game.invitations.filter(theirs)


def accept_invitations(game: Game, user: User, code: str = "") -> None:
    """Mark the invitations by which a user has joined as accepted."""
    invitations_for(game, user, code).update(state=Invitation.State.ACCEPTED)
