"""Effects of a tile in words."""

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.state import LARGE
from games.engine.rules.acquisition.tile_effect import TileEffect, tile_effect
from games.web.presenters.table_people import TablePeople, join_list


def consequence(seen: Observation, people: TablePeople, square: int) -> str:
    """The effect of the observer's tile on this square, in a sentence."""
    found = tile_effect(seen, square)
    if len(found.squares) == LARGE:
        return _completes(people, found, seen.turn)
    others = _names(people, found, seen.turn)
    if others:
        return _("It makes a group of two with {others}.").format(others=others)
    if len(found.squares) > 1:
        return _("It makes a medium building.")
    return _("It begins a group of its own.")


def _completes(people: TablePeople, found: TileEffect, turn: int) -> str:
    if len(set(found.owners)) == 1:
        return _("It completes a large building.")
    if found.buyer == turn:
        others = _names(people, found, turn)
        return _("It completes a group, and you can buy out {others}.").format(others=others)
    if found.buyer is not None:
        who = people.name(found.buyer)
        return _("It completes a group, and {who} can buy you out.").format(who=who)
    return _("It completes a group that stays as it is, because nobody has the tiles for a buyout.")


def _names(people: TablePeople, found: TileEffect, turn: int) -> str:
    """The names of the other owners in the group."""
    return join_list([people.name(owner) for owner in sorted(set(found.owners) - {turn})])
