"""Records and openings of Acquisition in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.rule_options import Rules
from games.web.presenters.acquisition.about_text import score


def feat(kind: str, number: int) -> tuple[str, str]:
    """The title of a record and its mark."""
    return {
        "most": (_("Most large buildings"), score(number)),
        "turns": (_("Fastest win"), ngettext("{n} turn", "{n} turns", number).format(n=number)),
    }[kind]


def opening_title() -> str:
    """The heading of the statistics by opening."""
    return _("The first large building")


def opening(key: str, rules: Rules) -> str:
    """Word the opening; there is only one."""
    return _("the player who built it")


def ahead(points: float) -> str:
    """Word an average lead, or deficit."""
    return _("{n} large buildings on average").format(n=f"{points:+.1f}".replace("-", "−"))
