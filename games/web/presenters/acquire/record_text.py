"""Records and openings of Acquire in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters.acquire.chain_names import label
from games.web.presenters.table_people import money


def feat(kind: str, number: int) -> tuple[str, str]:
    """The title of a record and its mark."""
    return {
        "most": (_("Most money"), money(number)),
        "turns": (_("Fastest win"), ngettext("{n} turn", "{n} turns", number).format(n=number)),
        "longest": (_("Largest chain"), ngettext("{n} tile", "{n} tiles", number).format(n=number)),
        "bonus": (_("Highest bonus"), money(number)),
    }[kind]


def opening_title() -> str:
    """The heading of the statistics by opening."""
    return _("The first chain")


def opening(key: str, rules: Rules) -> str:
    """Word an opening: the name of its chain."""
    return label(rules, CHAIN_BY_NAME[key])


def ahead(points: float) -> str:
    """Word an average lead, or deficit."""
    return _("{dollars} on average").format(dollars=("+" if points > 0 else "") + money(round(points)))
