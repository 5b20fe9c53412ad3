"""The form for a game against bots."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.bots.bot_levels import BOTS
from games.engine.rules.rule_systems import SYSTEMS
from games.web.presenters.presenter_registry import PRESENTERS

LEVEL = "medium"
FIRST_LEVEL = "easy"  # for newcomers, who have not finished a game
OPPONENTS = 3


class PlayNowForm(forms.Form):
    """A game of one rule system against bots. Missing fields have defaults."""

    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        error_messages={"invalid_choice": gettext_lazy("Choose a set of rules from the list.")},
    )
    opponents = forms.TypedChoiceField(
        label=gettext_lazy("Computer players"),
        coerce=int,
        error_messages={"invalid_choice": gettext_lazy("Choose a number of computer players from the list.")},
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Level"),
        error_messages={"invalid_choice": gettext_lazy("Choose a level from the list.")},
    )

    def __init__(self, system: str, data: Any = None, *, is_newcomer: bool) -> None:
        self.system = system
        presets = [(preset.name, preset.title) for preset in PRESENTERS[system].presets()]
        level = FIRST_LEVEL if is_newcomer and FIRST_LEVEL in BOTS[system] else LEVEL
        usual = {"preset": presets[0][0], "opponents": OPPONENTS, "level": level}
        sent = None if data is None else {**usual, **data.dict()}
        super().__init__(sent, initial=usual, label_suffix="", auto_id=f"id_{system}_%s")
        self._offer("preset", presets)
        self._offer("opponents", [(seats - 1, str(seats - 1)) for seats in SYSTEMS[system].SEATS])
        self._offer("level", levels(system))

    def _offer(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        if len(choices) == 1:
            field.widget = field.hidden_widget()


def levels(system: str) -> list[tuple[str, str]]:
    """Names of bot levels by key, the weakest first."""
    return [(level, _(bot.name)) for level, bot in BOTS[system].items()]


def level_descriptions(system: str) -> list[tuple[str, str]]:
    """Names of bot levels, each with its way of playing."""
    return [(_(bot.name), _(bot.character)) for bot in BOTS[system].values()]
