"""The form of a decision with an answer filled in."""

from dataclasses import replace

from games.rules import acquire
from games.rules.acquire import Move

from .decisions import Decision
from .reading import read_move


def key_of(form: Decision, move: Move) -> str:
    """The key of the form's choice that is this move; "" when there are no fields."""
    for key in form.choices:
        if acquire.parse_move(read_move({"kind": form.kind, **_values(form, key)})) is move:
            return key
    return ""


def filled(form: Decision, move: Move) -> Decision:
    """The form with the values of this move in its fields."""
    values = _values(form, key_of(form, move))
    numbers = {
        name: replace(number, value=int(values.get(number.name) or 0))
        for name, number in form.numbers.items()
    }
    return replace(form, chosen=values, numbers=numbers)


def _values(form: Decision, key: str) -> dict[str, str]:
    """The values of the fields by their names."""
    return dict(zip(form.fields, key.split(","), strict=bool(form.fields)))
