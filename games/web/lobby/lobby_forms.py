"""Small forms of the lobby and the waiting room."""

from dataclasses import replace
from typing import Any

from django import forms
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.clocks.on_time_rate import MINIMUM_CHOICES
from games.lobby.game_lists import OpenGameFilter
from games.models.game import MAX_LIVE_PACE
from games.models.invitation import MAX_ADDRESS_LENGTH, MAX_REASON_LENGTH
from games.models.playable_systems import playable_systems
from games.web.presenters.presenter_registry import PRESENTERS

DAY = 86400
MAX_AT_ONCE = 10


class FilterForm(forms.Form):
    """Filter of open games; invalid fields are ignored.

    The time per move is always in sight, as a row of segments; `more` are the other fields.
    """

    pace = forms.TypedChoiceField(
        label=gettext_lazy("Time per move"),
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
        # Few and short, so that they fit into one row of a phone.
        choices=[
            ("", pgettext_lazy("games of any pace", "All")),
            (str(MAX_LIVE_PACE), gettext_lazy("Live")),
            (str(DAY), gettext_lazy("Up to 1 day")),
            (str(3 * DAY), gettext_lazy("Up to 3 days")),
            ("0", gettext_lazy("No limit")),
        ],
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    rules = forms.ChoiceField(label=gettext_lazy("Rules"), required=False)
    players = forms.TypedChoiceField(
        label=gettext_lazy("Players"), coerce=int, empty_value=None, required=False
    )
    free = forms.TypedChoiceField(
        label=gettext_lazy("Open seats"), coerce=int, empty_value=None, required=False
    )
    reliable = forms.TypedChoiceField(
        label=gettext_lazy("Minimum punctuality"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", gettext_lazy("Any")),
            *((str(least), f"{least}%") for least in MINIMUM_CHOICES),
        ],
    )
    joinable = forms.BooleanField(label=gettext_lazy("Only games I can join"), required=False, initial=True)

    def __init__(self, data: Any) -> None:
        sent = any(name in data for name in self.base_fields)
        super().__init__(data if sent else {"joinable": "on"}, label_suffix="")
        here = playable_systems()
        seats = range(
            min(rules.SEATS[0] for rules in here.values()),
            max(rules.SEATS[-1] for rules in here.values()) + 1,
        )
        self._offer("game", [("", _("Any")), *((system, PRESENTERS[system].name()) for system in here)])
        if len(here) == 1:
            del self.fields["game"]
        self._offer("rules", [("", _("Any")), *_presets(list(here))])
        self._offer("players", [("", _("Any")), *((number, str(number)) for number in seats)])
        several = [(number, _("{n} or more").format(n=number)) for number in range(1, seats[-1])]
        self._offer("free", [("", _("Any")), *several])

    def _offer(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields besides the time per move."""
        return [self[name] for name in self.fields if name != "pace"]

    @property
    def has_more(self) -> bool:
        """Return whether one of `more` leaves out games that the reader could join."""
        return replace(self.wanted(), pace=None) != OpenGameFilter()

    @property
    def is_narrow(self) -> bool:
        """Return whether it leaves out games that the reader could join."""
        return self.wanted() != OpenGameFilter()

    def wanted(self) -> OpenGameFilter:
        """Return the chosen filter, without invalid fields."""
        self.is_valid()
        chosen = self.cleaned_data
        return OpenGameFilter(
            pace=chosen.get("pace"),
            system=chosen.get("game", ""),
            preset=chosen.get("rules", ""),
            players=chosen.get("players"),
            free=chosen.get("free"),
            reliable=chosen.get("reliable"),
            joinable=bool(chosen.get("joinable")),
        )


def _presets(systems: list[str]) -> list[tuple[Any, Any]]:
    """The presets to choose from; with several systems grouped, without those that have only one."""
    by_game = [
        (PRESENTERS[system].name(), [(preset.name, preset.title) for preset in PRESENTERS[system].presets()])
        for system in systems
    ]
    return by_game[0][1] if len(by_game) == 1 else [group for group in by_game if len(group[1]) > 1]


class InviteForm(forms.Form):
    """Invite members by name and others by mail address, separated by spaces, commas or semicolons."""

    who = forms.CharField(
        label=gettext_lazy("Member names or email addresses"),
        max_length=1000,
        # Part of another form, and preserved while htmx updates the page.
        widget=forms.Textarea(attrs={"rows": 2, "form": "act", "hx-preserve": "true"}),
    )
    use_required_attribute = False

    def clean_who(self) -> list[str]:
        asked = list(dict.fromkeys(self.cleaned_data["who"].replace(",", " ").replace(";", " ").split()))
        if len(asked) > MAX_AT_ONCE:
            sentence = ngettext(
                "You can invite at most {n} person at a time.",
                "You can invite at most {n} people at a time.",
                MAX_AT_ONCE,
            )
            raise forms.ValidationError(sentence.format(n=MAX_AT_ONCE))
        for name in asked:
            if "@" in name:
                _check_address(name)
        return asked


def _check_address(address: str) -> None:
    """Raise ValidationError, which names the address, if it cannot be one."""
    try:
        validate_email(address)
    except forms.ValidationError as error:
        raise forms.ValidationError(_("{who} is not an email address.").format(who=address)) from error
    if len(address) > MAX_ADDRESS_LENGTH:
        sentence = ngettext(
            "{who} is too long. An email address has at most {n} character.",
            "{who} is too long. An email address has at most {n} characters.",
            MAX_ADDRESS_LENGTH,
        )
        raise forms.ValidationError(sentence.format(who=address, n=MAX_ADDRESS_LENGTH))


class KickForm(forms.Form):
    """Ask for the reason to kick a player."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("Only the player you remove sees this reason."),
    )
