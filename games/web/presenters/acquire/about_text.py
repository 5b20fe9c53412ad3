"""What the game is, and to whom it is owed."""

from django.utils.translation import gettext as _

from games.web.presenters.table_people import money


def name() -> str:
    """What the game is called."""
    return _("Acquire")


def pitch() -> str:
    """What one does in it, for those who do not know it."""
    return _(
        "Found hotel chains, buy their shares, and be paid when they merge. Against computers now, or with "
        "people over days."
    )


def designer() -> str:
    """Who designed the game."""
    return _("Sid Sackson")


def credit() -> str:
    """The line about it on every page."""
    return _("Acquire was designed by Sid Sackson.")


def about() -> list[str]:
    """Where the game and its rules come from, in paragraphs."""
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
    """What somebody has at the end, as the rules count it: "$12,300"."""
    return money(points)


def amount(points: int) -> str:
    """The same in as few letters as fit beside a drawing."""
    return money(points)


def luck() -> str:
    """What luck there is in the game, in a sentence."""
    return _("Who sits where, and which tiles the others and you draw, is luck.")


def score_name() -> str:
    """What that is called at the head of a column."""
    return _("Money")


def options_title() -> str:
    """What the options of a new game are called together."""
    return _("Change single rules")


def unseen() -> str:
    """What of a position is dealt anew for whoever explores it, in a sentence; "" where nothing is hidden."""
    return _("Tiles you could not see are dealt anew.")


def chance() -> str:
    """What the seed of a game decides, and what somebody could do who knew it too early."""
    return _(
        "All chance in this game comes from one secret number, the seed: who sits where, the order of the "
        "tiles, and the tiles turned up for the bank between two players. It was drawn before the first tile "
        "and never changes. So that nobody has to take our word for it, its fingerprint is shown from the "
        "beginning and the seed itself at the end. Until then it is known to nobody: with it one could read "
        "everybody’s tiles."
    )
