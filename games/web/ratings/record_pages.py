"""Pages of records and opening statistics, from public games that ended by the rules."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Record
from games.models.playable_systems import playable_systems
from games.ratings import record_lists as kept_records
from games.web.page_links import PageLink, chosen_system, systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request


@require_safe
@never_cache
def records(request: Request, system: str = "") -> HttpResponse:
    """Show the records and openings of one preset and number of players."""
    system = chosen_system(system)
    preset, players = _chosen(request, system)
    openings = kept_records.openings(system, preset, players)
    table, rules = PRESENTERS[system], playable_systems()[system].PRESETS[preset]
    seats = openings["seat"]
    context: dict[str, Any] = {
        "name": table.name(),
        "systems": systems("records-of", system),
        "presets": _presets(system, preset, players),
        "sizes": _sizes(system, preset, players),
        "records": [
            _record(system, kind, feats) for kind, feats in kept_records.records(system, preset, players)
        ],
        "games": seats[0].games if seats else 0,
        "seats": [(int(one.key) + 1, round(100 * one.won)) for one in seats],
        "opening_title": table.opening_title(),
        "openings": [
            (table.opening(one.key, rules), one.games, round(100 * one.won)) for one in openings["first"]
        ],
        "fair": round(100 / players),
    }
    return render(request, "games/ratings/records.html", context)


def _chosen(request: Request, system: str) -> tuple[str, int]:
    """Return the requested preset and number of players, or raise Http404.

    By default the first for which there are records.
    """
    rules = playable_systems()[system]
    wanted = request.GET.get("preset", ""), request.GET.get("players", "")
    known = [(preset, players) for preset in rules.PRESETS for players in rules.SEATS]
    fitting = [
        (preset, players)
        for preset, players in known
        if wanted[0] in ("", preset) and wanted[1] in ("", str(players))
    ]
    if not fitting:
        raise Http404
    if len(fitting) == 1:
        return fitting[0]
    told = kept_records.available_records(system)
    return next((one for one in fitting if one in told), fitting[0])


def _presets(system: str, preset: str, players: int) -> list[PageLink]:
    url = reverse("records-of", args=[system])
    found = [
        PageLink(one.title, f"{url}?preset={one.name}&players={players}", one.name == preset)
        for one in PRESENTERS[system].presets()
    ]
    return found if len(found) > 1 else []


def _sizes(system: str, preset: str, players: int) -> list[PageLink]:
    url = reverse("records-of", args=[system])
    return [
        PageLink(
            ngettext("{n} player", "{n} players", number).format(n=number),
            f"{url}?preset={preset}&players={number}",
            number == players,
        )
        for number in playable_systems()[system].SEATS
    ]


def _record(system: str, kind: str, feats: list[Record]) -> dict[str, Any]:
    lines = [
        {
            "much": PRESENTERS[system].feat(kind, abs(feat.score))[1],
            "who": feat.user or _("the table"),
            "page": feat.user is not None and feat.user.is_active,
            "url": feat.game.get_absolute_url(),
            "finished": feat.finished,
        }
        for feat in feats
    ]
    return {"title": PRESENTERS[system].feat(kind, 0)[0], "lines": lines}
