"""Records and openings in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.rule_options import Rules
from games.web.presenters.acquisition.about_text import score


def feat(kind: str, number: int) -> tuple[str, str]:
    """What a record is for, and how much it is."""
    return {
        "most": (_("Most large buildings"), score(number)),
        "turns": (_("Fastest win"), ngettext("{n} turn", "{n} turns", number).format(n=number)),
    }[kind]


def opening_title() -> str:
    """By what openings are told from each other."""
    return _("The first large building")


def opening(key: str, rules: Rules) -> str:
    """The only one there is: what counts is whose it was."""
    return _("whoever built it")


def ahead(points: float) -> str:
    """By how much somebody was ahead of another on average, or behind."""
    return _("{n} large buildings on average").format(n=f"{points:+.1f}".replace("-", "−"))
