"""The form for a new game."""

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.clocks.on_time_rate import MINIMUM_CHOICES
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.game_terms import GameTerms
from games.models import Game
from games.web.lobby.play_now_form import LEVEL, levels
from games.web.lobby.rules_form import RulesForm

UNITS = {"hours": 3600, "days": 86400}
MAX_UNITS = 99

# A name is meant for one game; everything else is remembered for the next.
_NOT_REMEMBERED = {"name"}

# Fields that mean the same in games of every rule system.
_SHARED = {"visibility", "start", "pace", "unit", "rated"}


class NewGameForm(RulesForm):
    """The terms of a game of one rule system, initially as the user chose last.

    In a guest's game, bots take the seats that would be left to people.
    """

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
        max_value=MAX_UNITS,
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
    bank = forms.IntegerField(
        label=gettext_lazy("A store of time at the start"),
        min_value=1,
        max_value=MAX_UNITS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    cap = forms.IntegerField(
        label=gettext_lazy("The store holds at most"),
        min_value=1,
        max_value=MAX_UNITS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    off = forms.ChoiceField(
        label=gettext_lazy("Clocks stand still"),
        required=False,
        widget=forms.RadioSelect,
        choices=[
            (Game.ClockPauses.NONE, gettext_lazy("Never.")),
            (Game.ClockPauses.NIGHTS, gettext_lazy("At night, from 23 to 7 o’clock.")),
            (Game.ClockPauses.WEEKENDS, gettext_lazy("On Saturdays and Sundays.")),
            (Game.ClockPauses.BOTH, gettext_lazy("At night and on Saturdays and Sundays.")),
        ],
    )
    overrun = forms.ChoiceField(
        label=gettext_lazy("When somebody’s time is over"),
        initial=Game.OnTimeout.DECIDE,
        widget=forms.RadioSelect,
        required=False,
        choices=[
            (Game.OnTimeout.DECIDE, gettext_lazy("A computer decides this once.")),
            (
                Game.OnTimeout.TAKE,
                gettext_lazy(
                    "A computer takes the seat, until its player comes back or somebody else takes it over."
                ),
            ),
            (Game.OnTimeout.VOTE, gettext_lazy("The others vote which of the two.")),
        ],
    )
    reliable = forms.TypedChoiceField(
        label=gettext_lazy("Players decide in time, at least"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", gettext_lazy("anybody")),
            *((str(least), f"{least} %") for least in MINIMUM_CHOICES),
        ],
    )
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False, initial=True)
    programs = forms.BooleanField(
        label=gettext_lazy("Programs of members may join"),
        required=False,
        help_text=gettext_lazy("Whether or not, you can invite one by its name."),
    )

    def __init__(self, user: Any, system: str, data: Any = None, last: dict[str, Any] | None = None) -> None:
        self._user = user
        super().__init__(system, data)
        for field in ("least", "most"):
            self._offer(field, [(seats, str(seats)) for seats in self._rules.SEATS])
        self._offer("fill", [("", _("stay empty")), *levels(system)])
        for number in self._others():
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                label=_("Seat {n}").format(n=number + 1),
                choices=[("", _("a person")), *levels(system)],
                required=False,
            )
        self._show_again(last or {})

    def _show_again(self, last: dict[str, Any]) -> None:
        """Show the last choices; from another rule system only the shared ones."""
        same = last.get("system", next(iter(SYSTEMS))) == self.system
        for name, value in last.items():
            if name in self.fields and name not in _NOT_REMEMBERED and (same or name in _SHARED):
                self.initial[name] = value

    def _others(self) -> range:
        return range(1, self._rules.SEATS[-1])

    @property
    def computers(self) -> list[BoundField]:
        """The fields for the seats besides the host's."""
        return [self[f"seat_{number}"] for number in self._others()]

    @property
    def time_chosen(self) -> bool:
        """Return whether any option of time besides the pace differs from its default."""
        changed = self["overrun"].value() not in (None, "", Game.OnTimeout.DECIDE)
        return changed or any(self[name].value() for name in ("bank", "cap", "off", "reliable"))

    @property
    def computers_chosen(self) -> bool:
        """Return whether a bot is chosen for any seat."""
        return bool(self["fill"].value()) or any(field.value() for field in self.computers)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        least, most = cleaned.get("least"), cleaned.get("most")
        if least and most and least > most:
            self.add_error("most", _("At most cannot be fewer than at least."))
        if cleaned.get("unit") != "none" and not cleaned.get("pace") and "pace" not in self.errors:
            self.add_error("pace", _("Say how many, or choose no limit."))
        self._check_bank(cleaned)
        return cleaned

    def _check_bank(self, cleaned: dict[str, Any]) -> None:
        bank, cap = cleaned.get("bank"), cleaned.get("cap")
        if bank and cleaned.get("unit") == "none":
            self.add_error("bank", _("A store of time needs a time for each decision, which fills it."))
        if cap and not bank and "bank" not in self.errors:
            self.add_error("bank", _("Say how much time is in the store at the start, too."))
        if bank and cap and cap < bank:
            self.add_error("cap", _("The store cannot hold less than there is in it at the start."))

    def terms(self) -> GameTerms:
        """Return the terms chosen in a valid form."""
        cleaned = self.cleaned_data
        chosen = {number: cleaned[f"seat_{number}"] for number in range(1, cleaned["most"])}
        if self._user.is_guest:
            chosen = {number: level or cleaned["fill"] or LEVEL for number, level in chosen.items()}
        unit = UNITS.get(cleaned["unit"])

        def seconds(name: str) -> int | None:
            return cleaned[name] * unit if unit and cleaned[name] else None

        return GameTerms(
            **self.rules_chosen(),
            least=cleaned["least"],
            most=cleaned["most"],
            computers={number: level for number, level in chosen.items() if level},
            fill=cleaned["fill"],
            visibility=Game.Visibility.UNLISTED if self._user.is_guest else cleaned["visibility"],
            pace=seconds("pace"),
            bank=seconds("bank"),
            cap=seconds("cap"),
            off=cleaned["off"] if unit else Game.ClockPauses.NONE,
            reliable=cleaned["reliable"],
            overrun=cleaned["overrun"] or Game.OnTimeout.DECIDE,
            start=cleaned["start"],
            programs=cleaned["programs"],
            rated=cleaned["rated"] and not self._user.is_guest,
        )

    def remembered(self) -> dict[str, Any]:
        """Return the choices to show next time, as they were posted."""
        names = set(self.fields) - _NOT_REMEMBERED
        chosen = {name: self[name].value() for name in names if self[name].value() not in (None, "")}
        return {"system": self.system, **chosen}
