"""A game against computers, at once."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.bots import BOTS
from games.rules import SYSTEMS
from games.tables import TABLES

SYSTEM = "acquire"
LEVEL = "medium"
DEFAULTS = {"preset": "avalon-hill", "opponents": 3, "level": LEVEL}


class PlayNowForm(forms.Form):
    """A game against computer opponents, at once. A field that is not sent has its default."""

    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        error_messages={"invalid_choice": gettext_lazy("Choose one of the sets of rules in the list.")},
    )
    opponents = forms.TypedChoiceField(
        label=gettext_lazy("Opponents"),
        coerce=int,
        error_messages={"invalid_choice": gettext_lazy("Choose one to five opponents.")},
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Level"),
        error_messages={"invalid_choice": gettext_lazy("Choose one of the levels in the list.")},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(
            None if data is None else {**DEFAULTS, **data.dict()}, initial=DEFAULTS, label_suffix=""
        )
        self._offer("preset", [(preset.name, preset.title) for preset in TABLES[SYSTEM].presets()])
        self._offer("opponents", [(seats - 1, str(seats - 1)) for seats in SYSTEMS[SYSTEM].SEATS])
        self._offer("level", levels())

    def _offer(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


def levels() -> list[tuple[str, str]]:
    """The levels of computer opponents, the weakest first."""
    return [(level, _(bot.name)) for level, bot in BOTS[SYSTEM].items()]


def characters() -> list[tuple[str, str]]:
    """The names of the levels, each with how it plays."""
    return [(_(bot.name), _(bot.character)) for bot in BOTS[SYSTEM].values()]
