"""Cases of unanswered appeals and of seats still held by banned members."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Value
from django.utils.translation import gettext as _

from accounts.models import Appeal, Sanction, User
from games.models import Seat
from games.models.playable_systems import withheld_systems
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.desk.game_people import people_by_game


def sanctioned(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each unanswered appeal, and for each seat of a banned member that no bot could take over.

    The latter happens when the position cannot be read.
    """
    rows = list(_answers().union(_seats(), all=True).order_by("made")[: 2 * MOST])
    people = people_by_game([key for _made, key, _name, game, _seat in rows if game])
    return [_case(people, *row) for row in rows]


def _answers() -> QuerySet[Any]:
    member = ("sanction__member", "sanction__member__username")
    waiting = Appeal.objects.filter(replied=None).order_by()
    return waiting.values_list("made", *member, Value(""), Value(0))


def _seats() -> QuerySet[Any]:
    bans = {"user__sanctions__kind": Sanction.Kind.BAN, "user__sanctions__lifted": None}
    seats = Seat.objects.filter(ended=None, game__deleted=None, game__is_practice=False, **bans)
    told = ("user__sanctions__made", "game", "user__username", "game__public_id", "number")
    return seats.exclude(game__system__in=withheld_systems()).order_by().values_list(*told)


def _case(people: Mapping[int, str], made: datetime, key: int, name: str, game: str, seat: int) -> DeskCase:
    if not game:
        sentence = _("{name} has appealed.").format(name=name)
        return DeskCase(DeskTopic.APPEAL, sentence, made, "accounts.user", key)
    sentence = _(
        "{game}: {name} was banned but still has seat {seat}, because no computer player could take it over."
    )
    told = sentence.format(game=people.get(key, game), name=name, seat=seat + 1)
    return DeskCase(DeskTopic.SEAT, told, made, "games.game", key)
