"""Name, credits and descriptions of Acquisition."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def name() -> str:
    return _("Acquisition")


def pitch() -> str:
    """An invitation to the game, for newcomers."""
    return _(
        "Build in groups of 3 and buy out the players who share one with you. No luck, nothing "
        "hidden. Designed by Phil Leduc."
    )


def introduction() -> str:
    """The game in one sentence, for people who do not know it."""
    return _(
        "Acquisition is a board game about a city. You build in groups of 3 squares and buy out the "
        "players who share a group with you."
    )


def designer() -> str:
    return _("Phil Leduc")


def credit() -> str:
    """The line of credit on every page."""
    return _("Acquisition was designed by Phil Leduc (2011).")


def about() -> list[str]:
    """The origin of the game and its rules, in paragraphs."""
    return [
        _("Acquisition was designed by Phil Leduc and published in 2011. He holds all rights in the game."),
        _(
            "The rules are his, unaltered: one set, no variants. Players can agree on fewer building "
            "tiles, as his rules allow. The rules page says what this site adds."
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
        "The only chance in this game is who sits where. It comes from one secret number, the seed. "
        "The seed was drawn before the first park and never changes. You can check this yourself. "
        "The game shows the seed’s fingerprint from the start and the seed itself at the end."
    )
