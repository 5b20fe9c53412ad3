"""Moves in words: "buy 2 Imperial and end the game"."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Next, Pass, Place, Redraw, Survivor
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters.acquire.chain_names import in_order, label
from games.web.presenters.table_people import join_list


def phrase(move: Move, rules: Rules) -> str:
    """Word the move, to continue a sentence."""
    return _PHRASES[type(move)](move, rules)


def shares_to_buy(move: Buy, rules: Rules) -> str:
    """Word the shares of a purchase: "2 Imperial and 1 Tower", or "nothing"."""
    counts = Counter(move.shares)
    return join_list([f"{counts[number]} {label(rules, number)}" for number in in_order(rules, counts)]) or _(
        "nothing"
    )


def _buy(move: Buy, rules: Rules) -> str:
    text = _("buy {what} and end the game") if move.end else _("buy {what}")
    return text.format(what=shares_to_buy(move, rules))


def _dispose(move: Dispose, rules: Rules) -> str:
    parts = []
    if move.trade:
        parts.append(_("trade {n}").format(n=move.trade))
    if move.sell:
        parts.append(_("sell {n}").format(n=move.sell))
    return join_list(parts) or _("hold all")


_PHRASES: Final[dict[type[Move], Callable[[Any, Rules], str]]] = {
    Place: lambda move, rules: _("place {tile}").format(tile=move.text.removeprefix("place ")),
    Found: lambda move, rules: _("found {chain}").format(chain=label(rules, move.chain)),
    Survivor: lambda move, rules: _("let {chain} survive").format(chain=label(rules, move.chain)),
    Next: lambda move, rules: _("let {chain} go first").format(chain=label(rules, move.chain)),
    Dispose: _dispose,
    Buy: _buy,
    Redraw: lambda move, rules: _("show these tiles and draw new ones"),
    Pass: lambda move, rules: _("go on to buying without a tile"),
}
