"""Forms of decisions, with every legal answer and its words.

The page's script knows no rules: it looks the values of the fields up among the choices and labels the button
with the result. Without scripts, each square of the board is a submit button.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.acquisition.observation import Observation
from games.web.presenters.acquisition.tile_effect_text import consequence
from games.web.presenters.table_people import TablePeople, join_list


@dataclass(frozen=True, slots=True)
class Option:
    """An answer: its move, and its words."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """The form of a decision.

    kind      the decision's kind, and the name of its template
    fields    the form's fields in the order in which their values make the key of a choice
    choices   the words of each legal answer by those values, joined by commas
    ask       the button's label while no answer is chosen
    note      the text beside the button
    question  the question for members who confirm their moves, with a placeholder for the square
    options   the answers, when there are two
    adjust    whether the answer consists of numbers that belong together: never here
    """

    kind: str
    fields: tuple[str, ...] = ()
    choices: dict[str, dict[str, str]] = field(default_factory=dict)
    ask: str = ""
    note: str = ""
    question: str = ""
    options: tuple[Option, ...] = ()
    adjust: bool = False

    @property
    def template(self) -> str:
        return f"games/presenters/acquisition/decisions/{'buyout' if self.options else 'square'}.html"


def decision(seen: Observation, people: TablePeople) -> DecisionForm | None:
    """The form of the observer's current decision, or None."""
    if seen.seat is None or not seen.legal or not people.decides(seen.seat):
        return None
    return _FORMS[seen.decision.kind](seen, people)


def kept(form: DecisionForm | None, posted: Mapping[str, str]) -> DecisionForm | None:
    """The form after a refusal: its answers are single buttons, so nothing was filled in."""
    return form


def _park(seen: Observation, people: TablePeople) -> DecisionForm:
    names = [SQUARE_NAMES[square] for square in seen.open]
    order = _("Place a park on {square}")
    return DecisionForm(
        "park",
        ("chosen",),
        {name: {"label": order.format(square=name), "note": ""} for name in names},
        ask=_("Choose a square"),
        note=_("The last park must not make the parks symmetrical.") if seen.parks == 1 else "",
        question=_("Confirm: place a park on {tile}"),
    )


def _place(seen: Observation, people: TablePeople) -> DecisionForm:
    order = _("Build on {square}")
    choices = {}
    for square in seen.open:
        name = SQUARE_NAMES[square]
        choices[name] = {"label": order.format(square=name), "note": consequence(seen, people, square)}
    return DecisionForm(
        "place",
        ("chosen",),
        choices,
        ask=_("Choose a square"),
        note=_("Choose a square on the board for your tile."),
        question=_("Confirm: build on {tile}"),
    )


def _buyout(seen: Observation, people: TablePeople) -> DecisionForm:
    others = {square: seen.board[square] - 1 for square in seen.group if seen.board[square] - 1 != seen.seat}
    squares = join_list([SQUARE_NAMES[square] for square in others])
    names = join_list([people.name(owner) for owner in sorted(set(others.values()))])
    return DecisionForm(
        "buyout",
        options=(
            Option("buy out", _("Buy out {names} on {squares}").format(names=names, squares=squares)),
            Option("decline", _("Decline buyout")),
        ),
        note=_("A buyout takes tiles from your reserve and returns the replaced tiles to their owners."),
    )


_FORMS: Final[dict[str, Callable[[Observation, TablePeople], DecisionForm]]] = {
    "park": _park,
    "place": _place,
    "buyout": _buyout,
}
