"""A form into the notation of moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import Place
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import InvalidMove
from games.web.presenters.acquire.move_phrases import phrase


def read_move(data: Mapping[str, Any]) -> str:
    """The notation of the move that a form asks for.

    `data` are the fields by name, as posted. What makes no sense becomes a text that is no move, so the one
    place that refuses moves is the rules. A field `move` is taken as it is.
    """
    if "move" in data:
        return str(data["move"])
    read = _READERS.get(str(data.get("kind", "")))
    return read(data) if read else ""


def confirmation_question(data: Mapping[str, Any], rules: Rules, *, every: bool = False) -> str:
    """What is asked once more before the move of a form, of those who wish so; empty when nothing is.

    With `every` it is asked before any move, else before a tile is placed.
    """
    try:
        move = acquire.parse_move(read_move(data))
    except InvalidMove:
        # The rules say what is wrong with it.
        return ""
    if every or isinstance(move, Place):
        return _("Really {what}?").format(what=phrase(move, rules))
    return ""


def _place(data: Mapping[str, Any]) -> str:
    # Without a script a square of the board is a button of its own, and outdoes the list of tiles.
    return f"place {data.get('square') or data.get('tile', '')}"


def _dispose(data: Mapping[str, Any]) -> str:
    words = [f"{verb} {count}" for verb in ("sell", "trade") if (count := _count(data, verb))]
    return f"dispose {' '.join(words) or 'nothing'}"


def _buy(data: Mapping[str, Any]) -> str:
    words = [f"{count} {name}" for name in CHAIN_BY_NAME if (count := _count(data, name))]
    return f"buy {' '.join(words) or 'nothing'}{' and end' if data.get('end') else ''}"


def _count(data: Mapping[str, Any], name: str) -> str:
    """The number in a field, without leading zeros; empty for none."""
    return str(data.get(name, "")).strip().lstrip("0")


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "place": _place,
    "found": lambda data: f"found {data.get('chain', '')}",
    "survivor": lambda data: f"survivor {data.get('chain', '')}",
    "next": lambda data: f"next {data.get('chain', '')}",
    "dispose": _dispose,
    "buy": _buy,
}
