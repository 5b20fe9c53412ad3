"""Conversion of posted forms to moves in notation."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.acquisition.moves import BuyOut, Park, Place
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.rule_errors import InvalidMove


def read_move(data: Mapping[str, Any]) -> str:
    """Return the notation of the move in a posted form.

    `data` are the fields by name. Invalid input gives a text that the rules refuse, so that refusals come
    from the rules alone. A field `move` is taken as it is.
    """
    if "move" in data:
        return str(data["move"])
    kind = str(data.get("kind", ""))
    # Without scripts each square is a button, which takes precedence over the chosen square.
    square = data.get("square") or data.get("chosen", "")
    return f"{kind} {square}" if kind in ("park", "place") else ""


def confirmation_question(
    data: Mapping[str, Any], rules: Rules, *, placing: bool = True, every: bool = False
) -> str:
    """The question that asks to confirm the posted move; "" for none.

    With `every` each move gets one, with `placing` each placing of a park or a tile.
    """
    try:
        move = acquisition.parse_move(read_move(data))
    except InvalidMove:
        # Playing the move reports the error.
        return ""
    if not (placing or every):
        return ""
    if isinstance(move, Park):
        return _("Confirm: place a park on {square}").format(square=SQUARE_NAMES[move.square])
    if isinstance(move, Place):
        return _("Confirm: build on {square}").format(square=SQUARE_NAMES[move.square])
    if not every:
        return ""
    return _("Confirm: buy out") if isinstance(move, BuyOut) else _("Confirm: decline the buyout")
