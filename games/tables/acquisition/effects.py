"""What a tile would do on a square, in words."""

from django.utils.translation import gettext as _

from games.rules import acquisition
from games.rules.acquisition import LARGE, Effect, Observation

from ..people import People, listing


def consequence(seen: Observation, people: People, square: int) -> str:
    """What a tile of the observer would do on this square, in a sentence."""
    found = acquisition.effect(seen, square)
    if len(found.squares) == LARGE:
        return _completes(people, found, seen.turn)
    others = _names(people, found, seen.turn)
    if others:
        return _("It makes a group of two with {others}.").format(others=others)
    if len(found.squares) > 1:
        return _("It makes a medium building.")
    return _("It begins a group of its own.")


def _completes(people: People, found: Effect, turn: int) -> str:
    if len(set(found.owners)) == 1:
        return _("It completes a large building.")
    if found.buyer == turn:
        others = _names(people, found, turn)
        return _("It completes a group, and you may buy out {others}.").format(others=others)
    if found.buyer is not None:
        who = people.name(found.buyer)
        return _("It completes a group, and {who} may buy you out.").format(who=who)
    return _("It completes a group that stays as it is: nobody has the tiles for a buyout.")


def _names(people: People, found: Effect, turn: int) -> str:
    """The others who own tiles in the group."""
    return listing([people.name(owner) for owner in sorted(set(found.owners) - {turn})])
