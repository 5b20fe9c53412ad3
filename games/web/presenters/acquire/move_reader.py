"""Conversion of posted forms to moves in notation."""

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
    """Return the notation of the move in a posted form.

    `data` are the fields by name. Invalid input gives a text that the rules refuse, so that refusals come
    from the rules alone. A field `move` is taken as it is.
    """
    if "move" in data:
        return str(data["move"])
    read = _READERS.get(str(data.get("kind", "")))
    return read(data) if read else ""


def confirmation_question(data: Mapping[str, Any], rules: Rules, *, every: bool = False) -> str:
    """The question for members who confirm their moves; "" for none.

    With `every` there is one for each move, else only before a tile is placed.
    """
    try:
        move = acquire.parse_move(read_move(data))
    except InvalidMove:
        # Playing the move reports the error.
        return ""
    if every or isinstance(move, Place):
        return _("Really {what}?").format(what=phrase(move, rules))
    return ""


def _place(data: Mapping[str, Any]) -> str:
    # Without scripts each square is a button, which takes precedence over the list of tiles.
    return f"place {data.get('square') or data.get('tile', '')}"


def _dispose(data: Mapping[str, Any]) -> str:
    words = [f"{verb} {count}" for verb in ("sell", "trade") if (count := _count(data, verb))]
    return f"dispose {' '.join(words) or 'nothing'}"


def _buy(data: Mapping[str, Any]) -> str:
    words = [f"{count} {name}" for name in CHAIN_BY_NAME if (count := _count(data, name))]
    return f"buy {' '.join(words) or 'nothing'}{' and end' if data.get('end') else ''}"


def _count(data: Mapping[str, Any], name: str) -> str:
    """The number in a field, without leading zeros; "" for none."""
    return str(data.get(name, "")).strip().lstrip("0")


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "place": _place,
    "found": lambda data: f"found {data.get('chain', '')}",
    "survivor": lambda data: f"survivor {data.get('chain', '')}",
    "next": lambda data: f"next {data.get('chain', '')}",
    "dispose": _dispose,
    "buy": _buy,
}
