"""Themes of decisions, tiers of chains and sources of money in words."""

from django.utils.translation import gettext as _

from games.engine.rules.acquire.money_gains import MONEY_SOURCES
from games.web.presenters.acquire.money_breakdown import gain_names


def theme_names() -> dict[str, str]:
    """The names of the themes, in their order."""
    return {
        "place": _("Place a tile"),
        "found": _("Found a chain"),
        "merge": _("Merge chains"),
        "dispose": _("Sell, trade or hold"),
        "buy": _("Buy shares"),
        "end": _("End the game or go on"),
    }


def tier_names() -> dict[int, str]:
    """The names of the tiers, from low to high."""
    return {1: _("Low tier"), 2: _("Middle tier"), 3: _("High tier")}


def money_source_names() -> dict[str, str]:
    """The names of the sources of money, in their order."""
    _start, *names = gain_names()
    return dict(zip(MONEY_SOURCES, names, strict=True))
