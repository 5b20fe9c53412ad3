"""Seats on the desk that somebody who was shut out for good still has."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Sanction, User
from games.models import Seat
from games.models.systems import withheld

from .case import MOST, Case, Concern


def kept(now: datetime, reader: User) -> list[Case]:
    """A case for each seat that no computer could take over, as it is where a position cannot be read."""
    bans = {"user__sanctions__kind": Sanction.Kind.BAN, "user__sanctions__lifted": None}
    seats = Seat.objects.filter(ended=None, game__deleted=None, game__practice=False, **bans)
    rows = seats.exclude(game__system__in=withheld()).order_by("user__sanctions__made")
    told = rows.values_list("game", "game__public_id", "number", "user__username", "user__sanctions__made")
    sentence = _("{game}: {name} was shut out and still has seat {seat}, as no computer could take it.")
    return [
        Case(Concern.SEAT, sentence.format(game=game, name=name, seat=seat + 1), made, "games.game", key)
        for key, game, seat, name, made in told[:MOST]
    ]
