"""The terms of a new game."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game
from games.rules import SYSTEMS
from games.services import Terms
from games.tables import TABLES

from .playing import LEVEL, SYSTEM, levels

SEATS = SYSTEMS[SYSTEM].SEATS
UNITS = {"hours": 3600, "days": 86400}
MOST_UNITS = 99

# A name is for once; everything else is remembered until the next game.
_NOT_REMEMBERED = {"name"}


def check_name(name: str) -> None:
    """Refuse signs that nobody sees or that turn the text around."""
    if any(unicodedata.category(sign).startswith("C") for sign in name):
        raise ValidationError(_("A name is one line of signs that can be seen."))


class NewGameForm(forms.Form):
    """Everything a host can choose. Without data it shows what the user chose last.

    A guest's game has computers on all other seats: those that are left to people get them too.
    """

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=40, required=False, validators=[check_name], strip=True
    )
    preset = forms.ChoiceField(label=gettext_lazy("Rules"), initial="avalon-hill", widget=forms.RadioSelect)
    least = forms.TypedChoiceField(label=gettext_lazy("At least"), coerce=int, initial=2)
    most = forms.TypedChoiceField(label=gettext_lazy("At most"), coerce=int, initial=4)
    fill = forms.ChoiceField(label=gettext_lazy("Seats still free at the start"), required=False)
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can join"),
        initial=Game.Visibility.PUBLIC,
        widget=forms.RadioSelect,
        choices=[
            (Game.Visibility.PUBLIC, gettext_lazy("Everybody: the game stands in the lobby.")),
            (
                Game.Visibility.UNLISTED,
                gettext_lazy("Whoever has the invite link, which you pass on yourself."),
            ),
            (
                Game.Visibility.INVITED,
                gettext_lazy("Only people whom you invite, by name or by mail address."),
            ),
        ],
    )
    start = forms.ChoiceField(
        label=gettext_lazy("The game starts"),
        initial=Game.Start.FULL,
        widget=forms.RadioSelect,
        choices=[
            (Game.Start.FULL, gettext_lazy("By itself, as soon as all seats are taken.")),
            (Game.Start.HOST, gettext_lazy("When you say so, once enough seats are taken.")),
        ],
    )
    pace = forms.IntegerField(
        label=gettext_lazy("Time for each decision"),
        min_value=1,
        max_value=MOST_UNITS,
        required=False,
        initial=3,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "aria-label": gettext_lazy("How many")}),
    )
    unit = forms.ChoiceField(
        label=gettext_lazy("Hours or days"),
        widget=forms.Select(attrs={"aria-label": gettext_lazy("Hours or days")}),
        initial="days",
        choices=[
            ("none", gettext_lazy("no limit")),
            ("hours", gettext_lazy("hours")),
            ("days", gettext_lazy("days")),
        ],
    )
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False, initial=True)

    def __init__(self, user: Any, data: Any = None, last: dict[str, Any] | None = None) -> None:
        self._user = user
        super().__init__(data, label_suffix="")
        self._offer("preset", [(preset.name, f"{preset.title}: {preset.line}") for preset in _presets()])
        for field in ("least", "most"):
            self._offer(field, [(seats, str(seats)) for seats in SEATS])
        self._offer("fill", [("", _("stay empty")), *levels()])
        for number in range(1, SEATS[-1]):
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                label=_("Seat {n}").format(n=number + 1),
                choices=[("", _("a person")), *levels()],
                required=False,
            )
        for name in SYSTEMS[SYSTEM].OPTIONS:
            self.fields[f"option_{name}"] = _option_field(name)
        for name, value in (last or {}).items():
            if name in self.fields and name not in _NOT_REMEMBERED:
                self.initial[name] = value

    def _offer(self, name: str, choices: list[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def options(self) -> list[BoundField]:
        """The options of the rules, in their order."""
        return [self[f"option_{name}"] for name in SYSTEMS[SYSTEM].OPTIONS]

    @property
    def computers(self) -> list[BoundField]:
        """Who sits on each seat but the host's."""
        return [self[f"seat_{number}"] for number in range(1, SEATS[-1])]

    @property
    def options_changed(self) -> bool:
        """Whether an option is shown that differs from its set of rules."""
        return any(field.value() for field in self.options)

    @property
    def computers_chosen(self) -> bool:
        """Whether a computer is shown on any seat."""
        return bool(self["fill"].value()) or any(field.value() for field in self.computers)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        least, most = cleaned.get("least"), cleaned.get("most")
        if least and most and least > most:
            self.add_error("most", _("At most cannot be fewer than at least."))
        if cleaned.get("unit") != "none" and not cleaned.get("pace") and "pace" not in self.errors:
            self.add_error("pace", _("Say how many, or choose no limit."))
        return cleaned

    def terms(self) -> Terms:
        """The terms that a valid form asks for."""
        cleaned = self.cleaned_data
        chosen = {number: cleaned[f"seat_{number}"] for number in range(1, cleaned["most"])}
        if self._user.is_guest:
            chosen = {number: level or cleaned["fill"] or LEVEL for number, level in chosen.items()}
        return Terms(
            system=SYSTEM,
            preset=cleaned["preset"],
            options={
                name: value
                for name in SYSTEMS[SYSTEM].OPTIONS
                if (value := cleaned[f"option_{name}"]) is not None
            },
            name=" ".join(cleaned["name"].split()),
            least=cleaned["least"],
            most=cleaned["most"],
            computers={number: level for number, level in chosen.items() if level},
            fill=cleaned["fill"],
            visibility=Game.Visibility.UNLISTED if self._user.is_guest else cleaned["visibility"],
            pace=None if cleaned["unit"] == "none" else cleaned["pace"] * UNITS[cleaned["unit"]],
            start=cleaned["start"],
            rated=cleaned["rated"] and not self._user.is_guest,
        )

    def remembered(self) -> dict[str, Any]:
        """What to show the next time, as it was sent."""
        names = set(self.fields) - _NOT_REMEMBERED
        return {name: self[name].value() for name in names if self[name].value() not in (None, "")}


def _presets() -> list[Any]:
    return TABLES[SYSTEM].presets()


def _option_field(name: str) -> forms.TypedChoiceField:
    """A choice between what the set of rules says and each value of the option, in its sentence."""
    sentences, values = TABLES[SYSTEM].option_values(), SYSTEMS[SYSTEM].OPTIONS[name]
    by_text = {str(value): value for value in values}
    return forms.TypedChoiceField(
        label=TABLES[SYSTEM].option_names()[name],
        choices=[
            ("", _("As the set of rules has it.")),
            *((text, sentences[name, value]) for text, value in by_text.items()),
        ],
        coerce=lambda text: by_text[text],
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
