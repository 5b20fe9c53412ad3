"""Name, credits and descriptions of Acquisition."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def name() -> str:
    return _("Acquisition")


def pitch() -> str:
    """An invitation to the game, for newcomers."""
    return _(
        "Build in groups of three, and buy out whoever shares one with you. All is open and nothing is luck. "
        "Designed by Phil Leduc."
    )


def designer() -> str:
    return _("Phil Leduc")


def credit() -> str:
    """The line of credit on every page."""
    return _("Acquisition was designed by Phil Leduc (2011).")


def about() -> list[str]:
    """The origin of the game and its rules, in paragraphs."""
    return [
        _("Acquisition was designed by Phil Leduc and published in 2011. All rights in the game are his."),
        _(
            "The rules here are his, unaltered: there is one set of them and no variant. Players may agree "
            "on fewer building tiles, as his rules say. What this site adds is told on the page of the rules."
        ),
    ]


def score(points: int) -> str:
    """Format a final score: "5 large buildings"."""
    return ngettext("{n} large building", "{n} large buildings", points).format(n=points)


def amount(points: int) -> str:
    """Format points to fit beside a chart."""
    return str(points)


def luck() -> str:
    """Empty: apart from the seating, the game has no luck."""
    return ""


def score_name() -> str:
    """The column heading of scores."""
    return _("Large buildings")


def options_title() -> str:
    """The heading of the rule options of a new game."""
    return _("Agree on fewer building tiles")


def unseen() -> str:
    """Empty: nothing is hidden in this game."""
    return ""


def chance() -> str:
    """A paragraph on what the seed decides."""
    return _(
        "The only chance in this game is who sits where, and it comes from one secret number, the seed, "
        "which was drawn before the first park and never changes. So that nobody has to take our word for "
        "it, its fingerprint is shown from the beginning and the seed itself at the end."
    )
