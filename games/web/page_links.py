"""Links to pages of the same kind, such as one for each rule system."""

from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse

from games.models.playable_systems import playable_systems
from games.web.presenters.presenter_registry import PRESENTERS


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page; `here` marks the page that is open."""

    name: str
    url: str
    here: bool


def chosen_system(system: str) -> str:
    """Return the rule system named in the address, by default the first, or raise Http404 if it is off."""
    open_here = playable_systems()
    system = system or next(iter(open_here))
    if system not in open_here:
        raise Http404
    return system


def systems(route: str, system: str) -> list[PageLink]:
    """Links to the same page for each playable rule system; empty if there is only one."""
    found = [
        PageLink(PRESENTERS[one].name(), reverse(route, args=[one]), one == system)
        for one in playable_systems()
    ]
    return found if len(found) > 1 else []
