"""Name, credits and descriptions of Acquire."""

from django.utils.translation import gettext as _

from games.web.presenters.table_people import money


def name() -> str:
    return _("Acquire")


def pitch() -> str:
    """An invitation to the game, for newcomers."""
    return _(
        "Found hotel chains, buy shares and collect bonuses when chains merge. Play against computer "
        "players now, or against people over several days."
    )


def introduction() -> str:
    """The game in one sentence, for people who do not know it."""
    return _(
        "Acquire is a board game about hotel chains. You place tiles, found chains, buy shares and "
        "collect bonuses when chains merge."
    )


def designer() -> str:
    return _("Sid Sackson")


def credit() -> str:
    """The line of credit on every page."""
    return _("Acquire was designed by Sid Sackson.")


def about() -> list[str]:
    """The origin of the game and its rules, in paragraphs."""
    return [
        _("Acquire was designed by Sid Sackson and first published by 3M in 1962."),
        _(
            "The default rules follow the rulebook published by Avalon Hill in 2008. The other sets "
            "follow older or shorter texts. Each set names its source."
        ),
        _(
            "Acquire is a trademark of its publisher. This site is neither affiliated with nor "
            "endorsed by the publisher."
        ),
    ]


def score(points: int) -> str:
    """Format a final score: "$12,300"."""
    return money(points)


def amount(points: int) -> str:
    """Format points to fit beside a chart."""
    return money(points)


def luck() -> str:
    """A sentence on the luck in the game."""
    return _("Luck decides who sits where and who draws which tiles.")


def score_name() -> str:
    """The column heading of scores."""
    return _("Money")


def options_title() -> str:
    """The heading of the rule options of a new game."""
    return _("Change individual rules")


def unseen() -> str:
    """A sentence on what an exploration deals anew."""
    return _("The tiles you cannot see have been dealt at random.")


def chance() -> str:
    """A paragraph on what the seed decides and why it is secret."""
    return _(
        "All chance in this game comes from a secret number, the seed. It decides who sits where, the "
        "order of the tiles, and the bank’s tiles in a 2-player game. It was drawn before the first "
        "tile. If a moderator reopens a finished game, the hidden tiles are dealt again from a new seed. "
        "You can check this yourself. The game shows each seed’s fingerprint as soon as it deals and the "
        "seed itself at the end. Until then nobody knows the seed, because it would reveal everyone’s "
        "tiles."
    )
