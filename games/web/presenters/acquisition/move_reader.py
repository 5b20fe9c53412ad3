"""A form into the notation of moves."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.acquisition.moves import BuyOut, Park, Place
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.rule_errors import InvalidMove


def read_move(data: Mapping[str, Any]) -> str:
    """The notation of the move that a form asks for.

    `data` are the fields by name, as posted. What makes no sense becomes a text that is no move, so the one
    place that refuses moves is the rules. A field `move` is taken as it is.
    """
    if "move" in data:
        return str(data["move"])
    kind = str(data.get("kind", ""))
    # Without a script a square of the board is a button of its own, and outdoes the one chosen.
    square = data.get("square") or data.get("chosen", "")
    return f"{kind} {square}" if kind in ("park", "place") else ""


def confirmation_question(data: Mapping[str, Any], rules: Rules, *, every: bool = False) -> str:
    """What is asked once more before the move of a form, of those who wish so; empty when nothing is.

    With `every` it is asked before any move, else before a park or a tile is placed.
    """
    try:
        move = acquisition.parse_move(read_move(data))
    except InvalidMove:
        # The rules say what is wrong with it.
        return ""
    if isinstance(move, Park):
        return _("Really place a park on {square}?").format(square=SQUARE_NAMES[move.square])
    if isinstance(move, Place):
        return _("Really build on {square}?").format(square=SQUARE_NAMES[move.square])
    if not every:
        return ""
    return _("Really buy out?") if isinstance(move, BuyOut) else _("Really leave it as it is?")
