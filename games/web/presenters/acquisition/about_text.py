"""What the game is, and to whom it is owed."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def name() -> str:
    """What the game is called."""
    return _("Acquisition")


def pitch() -> str:
    """What one does in it, for those who do not know it."""
    return _(
        "Build in groups of three, and buy out whoever shares one with you. All is open and nothing is luck. "
        "Designed by Phil Leduc."
    )


def designer() -> str:
    """Who designed the game."""
    return _("Phil Leduc")


def credit() -> str:
    """The line about it on every page."""
    return _("Acquisition was designed by Phil Leduc (2011).")


def about() -> list[str]:
    """Where the game and its rules come from, in paragraphs."""
    return [
        _("Acquisition was designed by Phil Leduc and published in 2011. All rights in the game are his."),
        _(
            "The rules here are his, unaltered: there is one set of them and no variant. Players may agree "
            "on fewer building tiles, as his rules say. What this site adds is told on the page of the rules."
        ),
    ]


def score(points: int) -> str:
    """What somebody has at the end, as the rules count it: "5 large buildings"."""
    return ngettext("{n} large building", "{n} large buildings", points).format(n=points)


def amount(points: int) -> str:
    """The same in as few letters as fit beside a drawing."""
    return str(points)


def luck() -> str:
    """What luck there is in the game: none worth a sentence."""
    return ""


def score_name() -> str:
    """What that is called at the head of a column."""
    return _("Large buildings")


def options_title() -> str:
    """What the options of a new game are called together."""
    return _("Agree on fewer building tiles")


def unseen() -> str:
    """What of a position is dealt anew for whoever explores it: nothing is hidden in this game."""
    return ""


def chance() -> str:
    """What the seed of a game decides, and what somebody could do who knew it too early."""
    return _(
        "The only chance in this game is who sits where, and it comes from one secret number, the seed, "
        "which was drawn before the first park and never changes. So that nobody has to take our word for "
        "it, its fingerprint is shown from the beginning and the seed itself at the end."
    )
