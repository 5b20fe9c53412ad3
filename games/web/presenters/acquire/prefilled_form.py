"""Decision forms with an answer filled in."""

from dataclasses import replace

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Move
from games.web.presenters.acquire.decision_forms import DecisionForm
from games.web.presenters.acquire.move_reader import read_move


def key_of(form: DecisionForm, move: Move) -> str:
    """The key of the form's choice for this move; "" when the form has no fields."""
    for key in form.choices:
        if acquire.parse_move(read_move({"kind": form.kind, **_values(form, key)})) is move:
            return key
    return ""


def filled(form: DecisionForm, move: Move) -> DecisionForm:
    """The form with the values of this move in its fields."""
    values = _values(form, key_of(form, move))
    numbers = {
        name: replace(number, value=int(values.get(number.name) or 0))
        for name, number in form.numbers.items()
    }
    return replace(form, chosen=values, numbers=numbers)


def _values(form: DecisionForm, key: str) -> dict[str, str]:
    """The values by field."""
    return dict(zip(form.fields, key.split(","), strict=bool(form.fields)))
