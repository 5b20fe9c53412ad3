"""A member's games and invitations, for staff."""

from collections.abc import Collection

from allauth.account.models import EmailAddress
from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.mail.addresses import confirmed_addresses
from accounts.models import User
from games.models import Game, Invitation, Seat
from games.models.playable_systems import withheld_systems

# Limit of listed games, the most recently active first.
MOST = 30

# Limit of listed seats of linked accounts.
MOST_IN_COMMON = 60


def unfinished_games_of(user: User) -> QuerySet[Game]:
    """The member's unfinished games, the latest move first; no practice tables."""
    games = Game.objects.filter(seats__user=user, finished=None, is_practice=False)
    games = games.prefetch_related("seats__user")
    return games.exclude(system__in=withheld_systems()).order_by("-last_change_at", "-pk")[:MOST]


def common_seats(user: User, others: Collection[int]) -> list[Seat]:
    """The seats of the others in games in which the user sits too, the latest first; no practice tables.

    The games have the results of all their players.
    """
    games = Game.objects.filter(seats__user=user, is_practice=False).order_by().values("pk")
    seats = Seat.objects.filter(user__in=others, game__in=games).select_related("user", "game")
    latest = seats.prefetch_related("game__results", "game__seats__user").order_by(
        "-game__last_change_at", "-pk"
    )
    return list(latest[:MOST_IN_COMMON])


def inviters_of(user: User) -> list[int]:
    """The keys of members who sent an invitation to an address that is now this member's."""
    mine = confirmed_addresses().filter(user=user).values(low=Lower("email"))
    found = Invitation.objects.alias(to=Lower("address")).filter(to__in=mine).exclude(invited_by=user)
    return list(found.order_by("invited_by").values_list("invited_by", flat=True).distinct())


def invited_by(user: User) -> list[int]:
    """The keys of members whose addresses this member has sent invitations to."""
    asked = Invitation.objects.filter(invited_by=user).exclude(address="").values(low=Lower("address"))
    owners = EmailAddress.objects.filter(pk__in=confirmed_addresses().values("pk")).exclude(user=user)
    owners = owners.alias(low=Lower("email")).filter(low__in=asked)
    return list(owners.order_by("user").values_list("user", flat=True).distinct())
