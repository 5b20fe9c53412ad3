"""Decision forms with an answer filled in."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Move
from games.web.presenters.acquire.decision_forms import DecisionForm
from games.web.presenters.acquire.move_reader import read_move

_LONGEST_NUMBER = 3


def key_of(form: DecisionForm, move: Move) -> str:
    """The key of the form's choice for this move; "" when the form has no fields."""
    for key in form.choices:
        if acquire.parse_move(read_move({"kind": form.kind, **_values(form, key)})) is move:
            return key
    return ""


def filled(form: DecisionForm, move: Move) -> DecisionForm:
    """The form with the values of this move in its fields."""
    whole = next((way.move.text for way in form.ways if way.move is move), "")
    return _with_values(form, {"move": whole, **_values(form, key_of(form, move))})


def kept(form: DecisionForm | None, posted: Mapping[str, Any]) -> DecisionForm | None:
    """The form with what was posted to it, after a refusal."""
    if form is None or posted.get("kind") != form.kind:
        return form
    return _with_values(form, {name: str(text) for name, text in posted.items()})


def _with_values(form: DecisionForm, values: dict[str, str]) -> DecisionForm:
    numbers = {
        name: replace(number, value=_number(values.get(number.name, "")))
        for name, number in form.numbers.items()
    }
    return replace(form, chosen=values, numbers=numbers)


def _number(text: str) -> int:
    """The number in a field, 0 if there is none; the rules refuse one that is too large."""
    return int(text) if len(text) <= _LONGEST_NUMBER and text.isascii() and text.isdigit() else 0


def _values(form: DecisionForm, key: str) -> dict[str, str]:
    """The values by field."""
    return dict(zip(form.fields, key.split(","), strict=bool(form.fields)))
