"""Conversion of posted forms to moves in notation."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import Place
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import InvalidMove
from games.web.presenters.acquire.move_phrases import confirmation, gives_the_end_away


def read_move(data: Mapping[str, Any]) -> str:
    """Return the notation of the move in a posted form.

    `data` are the fields by name. Invalid input gives a text that the rules refuse, so that refusals come
    from the rules alone. A field `move` is taken as it is; an empty one leaves the answer to the others.
    """
    if data.get("move"):
        return str(data["move"])
    read = _READERS.get(str(data.get("kind", "")))
    return read(data) if read else ""


def confirmation_question(
    data: Mapping[str, Any], rules: Rules, *, placing: bool = True, every: bool = False
) -> str:
    """The question that asks to confirm the posted move; "" for none.

    With `every` each move gets one, with `placing` each placing of a tile. A move that ends the game
    without a purchase always gets one.
    """
    try:
        move = acquire.parse_move(read_move(data))
    except InvalidMove:
        # Playing the move reports the error.
        return ""
    if every or (placing and isinstance(move, Place)) or gives_the_end_away(move):
        return confirmation(move, rules)
    return ""


def _place(data: Mapping[str, Any]) -> str:
    # Without scripts each square is a button, which takes precedence over the list of tiles.
    return f"place {data.get('square') or data.get('tile', '')}"


def _dispose(data: Mapping[str, Any]) -> str:
    words = [f"{verb} {count}" for verb in ("sell", "trade") if (count := _count(data, verb))]
    if not any(_is_filled_in(data, verb) for verb in ("sell", "trade")):
        return "dispose"  # nothing is chosen, and holding all is a choice
    return f"dispose {' '.join(words) or 'nothing'}"


def _buy(data: Mapping[str, Any]) -> str:
    asked = [] if data.get("nothing") else [name for name in CHAIN_BY_NAME if name in data]
    if asked and not any(_is_filled_in(data, name) for name in asked):
        return "buy"  # nothing is chosen; a button of its own buys nothing
    words = [f"{count} {name}" for name in asked if (count := _count(data, name))]
    return f"buy {' '.join(words) or 'nothing'}{' and end' if data.get('end') else ''}"


def _is_filled_in(data: Mapping[str, Any], name: str) -> bool:
    return bool(str(data.get(name, "")).strip())


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
