"""Moves in sentences: to confirm, as they were made, and as a bot would make them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Next, Place, Redraw, Survivor
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters.acquire.chain_names import in_order, label
from games.web.presenters.table_people import join_list, say_with_name


def confirmation(move: Move, rules: Rules) -> str:
    """The question asked before the move is sent: "Confirm: place 8E"."""
    return _say(move, rules, _confirmations())


def was_made(move: Move, rules: Rules, name: str) -> str:
    """Word a move that was made, as HTML: "Ann bought 2 Imperial."."""
    kind, facts = _kind(move, rules)
    return say_with_name(_deeds()[kind], name, **facts)


def would_be_made(move: Move, rules: Rules, level: str) -> str:
    """Word the move that a bot of this level would have made: "Expert would buy 2 Imperial."."""
    return _say(move, rules, _proposals(), level=level)


def gives_the_end_away(move: Move) -> bool:
    """Return whether the move ends the game without buying anything."""
    return isinstance(move, Buy) and move.end and not move.shares


def shares_to_buy(move: Buy, rules: Rules) -> str:
    """List the shares of a purchase: "2 Imperial and 1 Tower", "" for none."""
    counts = Counter(move.shares)
    return join_list([f"{counts[number]} {label(rules, number)}" for number in in_order(rules, counts)])


def _say(move: Move, rules: Rules, sentences: Mapping[str, str], **others: str) -> str:
    kind, facts = _kind(move, rules)
    return sentences[kind].format(**facts, **others)


def _kind(move: Move, rules: Rules) -> tuple[str, dict[str, Any]]:
    """The key of the move's sentence, and the facts in it."""
    if isinstance(move, Place):
        return "place", {"tile": move.text.removeprefix("place ")}
    if isinstance(move, Found | Survivor | Next):
        return move.kind, {"chain": label(rules, move.chain)}
    if isinstance(move, Dispose):
        ways = " and ".join(way for way in ("trade", "sell") if getattr(move, way))
        return ways or "hold", {"traded": move.trade, "sold": move.sell}
    if isinstance(move, Buy):
        what = "buy" if move.shares else "buy nothing"
        return f"{what} and end" if move.end else what, {"shares": shares_to_buy(move, rules)}
    return "redraw" if isinstance(move, Redraw) else "pass", {}


def _confirmations() -> dict[str, str]:
    return {
        "place": _("Confirm: place {tile}"),
        "found": _("Confirm: found {chain}"),
        "survivor": _("Confirm: keep {chain}"),
        "next": _("Confirm: settle {chain} first"),
        "trade": _("Confirm: trade {traded}"),
        "sell": _("Confirm: sell {sold}"),
        "trade and sell": _("Confirm: trade {traded} and sell {sold}"),
        "hold": _("Confirm: hold all"),
        "buy": _("Confirm: buy {shares}"),
        "buy and end": _("Confirm: buy {shares} and end the game"),
        "buy nothing": _("Confirm: buy nothing"),
        "buy nothing and end": _("Confirm: buy nothing and end the game"),
        "redraw": _("Confirm: show these tiles and draw new ones"),
        "pass": _("Confirm: buy shares without placing a tile"),
    }


def _deeds() -> dict[str, str]:
    return {
        "place": _("{name} placed {tile}."),
        "found": _("{name} founded {chain}."),
        "survivor": _("{name} kept {chain}."),
        "next": _("{name} settled {chain} first."),
        "trade": _("{name} traded {traded}."),
        "sell": _("{name} sold {sold}."),
        "trade and sell": _("{name} traded {traded} and sold {sold}."),
        "hold": _("{name} held all."),
        "buy": _("{name} bought {shares}."),
        "buy and end": _("{name} bought {shares} and ended the game."),
        "buy nothing": _("{name} bought no shares."),
        "buy nothing and end": _("{name} bought no shares and ended the game."),
        "redraw": _("{name} showed the whole hand and drew new tiles."),
        "pass": _("{name} bought shares without placing a tile."),
    }


def _proposals() -> dict[str, str]:
    return {
        "place": _("{level} would place {tile}."),
        "found": _("{level} would found {chain}."),
        "survivor": _("{level} would keep {chain}."),
        "next": _("{level} would settle {chain} first."),
        "trade": _("{level} would trade {traded}."),
        "sell": _("{level} would sell {sold}."),
        "trade and sell": _("{level} would trade {traded} and sell {sold}."),
        "hold": _("{level} would hold all."),
        "buy": _("{level} would buy {shares}."),
        "buy and end": _("{level} would buy {shares} and end the game."),
        "buy nothing": _("{level} would buy nothing."),
        "buy nothing and end": _("{level} would buy nothing and end the game."),
        "redraw": _("{level} would show the whole hand and draw new tiles."),
        "pass": _("{level} would buy shares without placing a tile."),
    }
