"""Base form of new games: name, preset and options."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.rules.rule_systems import SYSTEMS
from games.web.presenters.presenter_registry import PRESENTERS

# Options with more values than this are a select, not radio buttons.
_MAX_BUTTONS = 6


def check_name(name: str) -> None:
    """Refuse control characters, which are invisible or reverse the direction of the text."""
    if any(unicodedata.category(sign).startswith("C") for sign in name):
        raise ValidationError(_("The name contains a line break or an invisible character. Remove it."))


class RulesForm(forms.Form):
    """The name, the preset and the options of a game of one rule system."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=40, required=False, validators=[check_name], strip=True
    )
    preset = forms.ChoiceField(label=gettext_lazy("Rules"), widget=forms.RadioSelect)
    takebacks = forms.BooleanField(
        label=gettext_lazy("Allow taking back moves"), required=False, initial=True
    )
    skips = forms.BooleanField(
        label=gettext_lazy("Skip moves that need no decision"), required=False, initial=True
    )

    def __init__(self, system: str, data: Any = None) -> None:
        self.system, self._rules = system, SYSTEMS[system]
        super().__init__(data, label_suffix="")
        presets = PRESENTERS[system].presets()
        self._offer("preset", [(preset.name, f"{preset.title}: {preset.line}") for preset in presets])
        self.initial["preset"] = presets[0].name
        if not self._rules.HAS_FORCED_MOVES:
            del self.fields["skips"]
        for name in self._options():
            self.fields[f"option_{name}"] = _option_field(system, name)

    def _offer(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _options(self) -> list[str]:
        """The options that the form offers with the rules, in their order; teams follow from the players."""
        return [name for name in self._rules.OPTIONS if name != "teams"]

    @property
    def options(self) -> list[BoundField]:
        """The fields of the options, in their order."""
        return [self[f"option_{name}"] for name in self._options()]

    @property
    def only_preset(self) -> str:
        """The only preset in words, or "" if there are several."""
        presets = PRESENTERS[self.system].presets()
        return f"{presets[0].title}: {presets[0].line}" if len(presets) == 1 else ""

    @property
    def options_title(self) -> str:
        """The heading of the options."""
        return PRESENTERS[self.system].options_title()

    @property
    def changed_options(self) -> list[BoundField]:
        """The fields of the options that differ from the preset."""
        return [field for field in self.options if field.value()]

    @property
    def other_options(self) -> list[BoundField]:
        """The fields of the options that are as the preset has them."""
        return [field for field in self.options if not field.value()]

    def rules_chosen(self) -> dict[str, Any]:
        """Return the part of the `GameTerms` chosen in a valid form."""
        cleaned = self.cleaned_data
        return {
            "system": self.system,
            "preset": cleaned["preset"],
            "options": {
                name: value for name in self._options() if (value := cleaned[f"option_{name}"]) is not None
            },
            "name": " ".join(cleaned["name"].split()),
            "takebacks": cleaned["takebacks"],
            "skips": cleaned.get("skips", True),
        }


def _option_field(system: str, name: str) -> forms.TypedChoiceField:
    """Return a field that offers the value of the preset and each value of the option."""
    sentences, values = PRESENTERS[system].option_values(), SYSTEMS[system].OPTIONS[name]
    by_text = {str(value): value for value in values}
    return forms.TypedChoiceField(
        label=PRESENTERS[system].option_names()[name],
        choices=[
            ("", _("As in the chosen rules")),
            *((text, sentences[name, value]) for text, value in by_text.items()),
        ],
        coerce=lambda text: by_text[text],
        empty_value=None,
        required=False,
        widget=forms.RadioSelect if len(values) <= _MAX_BUTTONS else forms.Select,
    )
