"""Name, credits and descriptions of Acquire."""

from django.utils.translation import gettext as _

from games.web.presenters.table_people import money


def name() -> str:
    return _("Acquire")


def pitch() -> str:
    """An invitation to the game, for newcomers."""
    return _(
        "Found hotel chains, buy their shares, and be paid when they merge. Against computers now, or with "
        "people over days."
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
            "The rules here follow the rule book published by Avalon Hill in 2008; other sets of rules to "
            "choose from follow older and shorter texts. The page of each says which."
        ),
        _(
            "Acquire is a trademark of its publisher. This site is not affiliated with the publisher and not "
            "endorsed by it."
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
    return _("Who sits where, and which tiles the others and you draw, is luck.")


def score_name() -> str:
    """The column heading of scores."""
    return _("Money")


def options_title() -> str:
    """The heading of the rule options of a new game."""
    return _("Change single rules")


def unseen() -> str:
    """A sentence on what an exploration deals anew."""
    return _("Tiles you could not see are dealt anew.")


def chance() -> str:
    """A paragraph on what the seed decides and why it is secret."""
    return _(
        "All chance in this game comes from one secret number, the seed: who sits where, the order of the "
        "tiles, and the tiles turned up for the bank between two players. It was drawn before the first tile "
        "and never changes. So that nobody has to take our word for it, its fingerprint is shown from the "
        "beginning and the seed itself at the end. Until then it is known to nobody: with it one could read "
        "everybody’s tiles."
    )
