"""Links between pages of the same kind: for each game that may be played here, and for what it comes in."""

from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse

from games.models.playable_systems import playable_systems
from games.web.presenters.presenter_registry import PRESENTERS


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page of the same kind; the one that is open is `here`."""

    name: str
    url: str
    here: bool


def chosen_system(system: str) -> str:
    """The rule system that an address names, the first without one. Raises Http404 for one that is off."""
    open_here = playable_systems()
    system = system or next(iter(open_here))
    if system not in open_here:
        raise Http404
    return system


def systems(route: str, system: str) -> list[PageLink]:
    """The same page for each game that may be played here; nothing where there is only one."""
    found = [
        PageLink(PRESENTERS[one].name(), reverse(route, args=[one]), one == system)
        for one in playable_systems()
    ]
    return found if len(found) > 1 else []
