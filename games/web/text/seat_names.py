"""Names of players, bots and bot levels as pages show them."""

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from games.engine.bots.bot_levels import BOTS
from games.models import Seat
from games.ratings.skill_model import points
from games.web.presenters.table_people import Person


def table_persons(seats: Iterable[Seat]) -> list[Person]:
    """The players of a game, in the order of the seats."""
    return [
        Person(
            seat.name,
            seat.is_bot_playing,
            _level(seat),
            seat.concession_order,
            seat.is_replaced,
            seat.is_bot_account,
            _points(seat),
            seat.team,
        )
        for seat in seats
    ]


def without_stand_in(person: Person) -> Person:
    """Return the person without the mark of a stand-in."""
    return replace(person, computer=False, level="", replaced=False)


def level_name(system: str, level: str) -> str:
    """Return the name of a bot level, or its key if the level no longer exists."""
    bot = BOTS[system].get(level)
    return _(bot.name) if bot else level


def _level(seat: Seat) -> str:
    if seat.bot_level:
        return level_name(seat.game.system, seat.bot_level)
    return _("bot") if seat.is_bot_account else ""


def _points(seat: Seat) -> int | None:
    """Return the rating of the player, or None if the query has not loaded it."""
    mu = getattr(seat, "mu", None)
    return None if mu is None else points(mu)
