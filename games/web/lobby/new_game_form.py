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
from games.models.game import MAX_LIVE_PACE, MIN_PACE
from games.web.lobby.play_now_form import LEVEL, levels
from games.web.lobby.rules_form import RulesForm
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import join_choices
from games.web.text import late_text
from games.web.text.game_titles import MINUTE

UNITS = {"seconds": 1, "hours": 3600, "days": 86400}
MAX_UNITS = 99

# Usual times for a decision: how many of which unit.
SPEEDS = {
    "fast": (30, "seconds"),
    "evening": (60, "seconds"),
    "day": (1, "days"),
    "days": (3, "days"),
    "none": (None, "none"),
}
OWN = "own"
NO_TEAMS = "none"

# The time banks of the live ones, in minutes.
LIVE_BANKS = {"fast": 3, "evening": 5}

_FIRST_CHOICES = (
    "__all__",
    "visibility",
    "speed",
    "pace",
    "unit",
    "most",
    "least",
    "fill",
    "teams",
    "team_chat",
)

# A name is meant for one game, and the speed stands for a pace; everything else is remembered for the next.
_NOT_REMEMBERED = {"name", "speed"}

# The fields for which a usual speed stands.
_TIMES = ("pace", "unit", "bank", "cap")

# Fields that mean the same in games of every rule system.
_SHARED = {"visibility", "start", "pace", "unit", "rated"}


class NewGameForm(RulesForm):
    """The terms of a game of one rule system, initially as the user chose last.

    In a guest's game, bots take the seats that would be left to people.
    """

    least = forms.TypedChoiceField(label=gettext_lazy("Minimum"), coerce=int, initial=2)
    most = forms.TypedChoiceField(
        label=gettext_lazy("Maximum"), coerce=int, initial=4, widget=forms.RadioSelect
    )
    fill = forms.ChoiceField(label=gettext_lazy("Seats still open at the start"), required=False)
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who can join"),
        initial=Game.Visibility.PUBLIC,
        widget=forms.RadioSelect,
        choices=[
            (Game.Visibility.PUBLIC, gettext_lazy("Everyone (the game is listed in the lobby)")),
            (
                Game.Visibility.UNLISTED,
                gettext_lazy("Anyone with the invite link, which I share myself"),
            ),
            (
                Game.Visibility.INVITED,
                gettext_lazy("Only people I invite by name or email address"),
            ),
        ],
    )
    start = forms.ChoiceField(
        label=gettext_lazy("Start"),
        initial=Game.Start.FULL,
        widget=forms.RadioSelect,
        choices=[
            (Game.Start.FULL, gettext_lazy("Automatically, as soon as all seats are taken")),
            (Game.Start.HOST, gettext_lazy("When I start it, once enough seats are taken")),
        ],
    )
    # Without it, as with another time, the pace and its unit count.
    speed = forms.ChoiceField(
        label=gettext_lazy("Time per move"),
        required=False,
        widget=forms.RadioSelect,
        choices=[
            ("fast", gettext_lazy("Live, fast (3\N{NO-BREAK SPACE}min + 30\N{NO-BREAK SPACE}s per move)")),
            (
                "evening",
                gettext_lazy(
                    "Live, for an evening (5\N{NO-BREAK SPACE}min + 60\N{NO-BREAK SPACE}s per move)"
                ),
            ),
            ("day", gettext_lazy("1 day")),
            ("days", gettext_lazy("3 days")),
            ("none", gettext_lazy("No time limit")),
            (OWN, gettext_lazy("Another time")),
        ],
    )
    pace = forms.IntegerField(
        label=gettext_lazy("Time per move"),
        min_value=1,
        max_value=MAX_LIVE_PACE,
        required=False,
        initial=3,
        widget=forms.NumberInput(
            attrs={"inputmode": "numeric", "aria-label": gettext_lazy("Number of seconds, hours or days")}
        ),
    )
    unit = forms.ChoiceField(
        label=gettext_lazy("Unit"),
        widget=forms.Select(attrs={"aria-label": gettext_lazy("Unit")}),
        initial="days",
        choices=[
            ("none", gettext_lazy("No limit")),
            ("seconds", gettext_lazy("Seconds (live)")),
            ("hours", gettext_lazy("Hours")),
            ("days", gettext_lazy("Days")),
        ],
    )
    bank = forms.IntegerField(
        label=gettext_lazy("Time bank at the start"),
        min_value=1,
        max_value=MAX_UNITS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    cap = forms.IntegerField(
        label=gettext_lazy("Time bank limit"),
        min_value=1,
        max_value=MAX_UNITS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    off = forms.ChoiceField(
        label=gettext_lazy("Pause clocks"),
        required=False,
        widget=forms.RadioSelect,
        choices=[
            (Game.ClockPauses.NONE, gettext_lazy("Never")),
            (Game.ClockPauses.NIGHTS, gettext_lazy("At night, from 23:00 to 07:00")),
            (Game.ClockPauses.WEEKENDS, gettext_lazy("On Saturdays and Sundays")),
            (Game.ClockPauses.BOTH, gettext_lazy("At night and on Saturdays and Sundays")),
        ],
    )
    overrun = forms.ChoiceField(
        label=gettext_lazy("When someone runs out of time"),
        initial=Game.OnTimeout.DECIDE,
        widget=forms.RadioSelect,
        required=False,
        choices=[
            (Game.OnTimeout.DECIDE, gettext_lazy("A computer player makes that one move.")),
            (
                Game.OnTimeout.TAKE,
                gettext_lazy(
                    "A computer player takes over the seat until its player comes back or someone "
                    "else takes it."
                ),
            ),
            (Game.OnTimeout.VOTE, gettext_lazy("The other players vote between the two.")),
        ],
    )
    reliable = forms.TypedChoiceField(
        label=gettext_lazy("Minimum punctuality"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("", gettext_lazy("Anyone")),
            *((str(least), f"{least}%") for least in MINIMUM_CHOICES),
        ],
    )
    team_chat = forms.ChoiceField(
        label=gettext_lazy("Team chat"),
        initial=Game.TeamChat.OFF,
        required=False,
        widget=forms.RadioSelect,
        choices=[
            (Game.TeamChat.OFF, gettext_lazy("Off")),
            (
                Game.TeamChat.BETWEEN,
                gettext_lazy("Partners can write to each other between their own turns."),
            ),
            (Game.TeamChat.ALWAYS, gettext_lazy("Partners can write to each other at any time.")),
        ],
    )
    late = forms.TypedChoiceField(
        label=gettext_lazy("Spectators see the game"),
        coerce=int,
        empty_value=None,
        initial=0,
        required=False,
        widget=forms.RadioSelect,
        choices=late_text.choices(),
    )
    rated = forms.BooleanField(label=gettext_lazy("Rated"), required=False, initial=True)
    programs = forms.BooleanField(
        label=gettext_lazy("Bots can join"),
        required=False,
        help_text=gettext_lazy("You can always invite a bot by name."),
    )

    def __init__(self, user: Any, system: str, data: Any = None, last: dict[str, Any] | None = None) -> None:
        self._user = user
        super().__init__(system, data)
        for field in ("least", "most"):
            self._offer(field, [(seats, str(seats)) for seats in self._rules.SEATS])
        if user.is_guest:
            # The page asks no guest for them.
            self.fields["visibility"].required = self.fields["start"].required = False
        self._offer("fill", [("", _("Stay empty")), *levels(system)])
        for number in self._others():
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                label=_("Seat {n}").format(n=number + 1),
                choices=[("", _("Person")), *levels(system)],
                required=False,
            )
        if "teams" in self._rules.OPTIONS:
            self.fields["teams"] = _team_field(system)
        self._show_again(last or {})

    def _show_again(self, last: dict[str, Any]) -> None:
        """Show the last choices; from another rule system only the shared ones."""
        same = last.get("system", next(iter(SYSTEMS))) == self.system
        for name, value in last.items():
            if name in self.fields and name not in _NOT_REMEMBERED and (same or name in _SHARED):
                self.initial[name] = value
        chosen = [self.get_initial_for_field(self.fields[name], name) for name in _TIMES]
        self.initial["speed"] = _speed(*chosen)
        if self.initial["speed"] in LIVE_BANKS:
            self.initial["bank"] = None

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

    @property
    def is_customised(self) -> bool:
        """Return whether something differs from the set of rules, or is wrong beyond the first choices."""
        first = {*_FIRST_CHOICES, *(field.name for field in self.computers)}
        return bool(self.changed_options) or bool(set(self.errors) - first)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        if cleaned.get("speed") in SPEEDS:
            self.errors.pop("pace", None)
            cleaned["pace"], cleaned["unit"] = SPEEDS[cleaned["speed"]]
        if cleaned.get("speed") in LIVE_BANKS:
            for name in ("bank", "cap"):
                self.errors.pop(name, None)
            cleaned["bank"], cleaned["cap"] = LIVE_BANKS[cleaned["speed"]], None
        least, most = cleaned.get("least"), cleaned.get("most")
        if least and most and least > most:
            self.add_error("most", _("The maximum must be at least as high as the minimum."))
        if cleaned.get("unit") != "none" and not cleaned.get("pace") and "pace" not in self.errors:
            self.add_error("pace", _("Enter a number, or choose “No limit”."))
        self._check_pace(cleaned)
        self._check_bank(cleaned)
        self._check_teams(cleaned)
        return cleaned

    def _check_teams(self, cleaned: dict[str, Any]) -> None:
        """Refuse a number of players that makes no teams; a team game waits for all its players."""
        chosen, most = cleaned.get("teams"), cleaned.get("most")
        if not chosen or chosen == NO_TEAMS:
            cleaned["team_chat"] = Game.TeamChat.OFF
            return
        if cleaned.get("team_chat") and cleaned.get("rated"):
            self.add_error(
                "team_chat",
                _("Rated games have no team chat. Choose “Off”, or make the game unrated."),
            )
        if not most:
            return
        counts = self._rules.seat_counts(self._rules.from_options({"teams": chosen}))
        if most not in counts:
            numbers = join_choices([str(number) for number in counts])
            self.add_error(
                "teams", _("These teams need {numbers} players. Change the maximum.").format(numbers=numbers)
            )
        elif not cleaned.get("fill"):
            cleaned["least"] = most
            self.errors.pop("least", None)

    def _check_pace(self, cleaned: dict[str, Any]) -> None:
        pace, unit = cleaned.get("pace"), cleaned.get("unit")
        if not pace:
            return
        if unit == "seconds" and pace < MIN_PACE:
            self.add_error(
                "pace",
                _("Enter {least} to {most} seconds for a live game.").format(
                    least=MIN_PACE, most=MAX_LIVE_PACE
                ),
            )
        elif unit in ("hours", "days") and pace > MAX_UNITS:
            self.add_error("pace", _("Enter {most} at most, or choose a longer unit.").format(most=MAX_UNITS))

    def _check_bank(self, cleaned: dict[str, Any]) -> None:
        bank, cap = cleaned.get("bank"), cleaned.get("cap")
        if bank and cleaned.get("unit") == "none":
            self.add_error(
                "bank", _("A time bank needs a time per move. Set one, or leave the time bank empty.")
            )
        if cap and not bank and "bank" not in self.errors:
            self.add_error(
                "bank",
                _("A time bank limit needs a time bank at the start. Enter one, or leave the limit empty."),
            )
        if bank and cap and cap < bank:
            self.add_error("cap", _("The limit must be at least as high as the time bank at the start."))

    def terms(self) -> GameTerms:
        """Return the terms chosen in a valid form."""
        cleaned = self.cleaned_data
        chosen = {number: cleaned[f"seat_{number}"] for number in range(1, cleaned["most"])}
        if self._user.is_guest:
            chosen = {number: level or cleaned["fill"] or LEVEL for number, level in chosen.items()}
        unit = UNITS.get(cleaned["unit"])

        is_live = cleaned["unit"] == "seconds"

        def seconds(name: str, unit: int | None = unit) -> int | None:
            return cleaned[name] * unit if unit and cleaned[name] else None

        bank_unit = MINUTE if is_live else unit
        bank, cap = seconds("bank", bank_unit), seconds("cap", bank_unit)

        rules = self.rules_chosen()
        if cleaned.get("teams", NO_TEAMS) not in ("", NO_TEAMS):
            rules["options"]["teams"] = cleaned["teams"]
        return GameTerms(
            **rules,
            least=cleaned["least"],
            most=cleaned["most"],
            computers={number: level for number, level in chosen.items() if level},
            fill=cleaned["fill"],
            visibility=Game.Visibility.UNLISTED if self._user.is_guest else cleaned["visibility"],
            pace=seconds("pace"),
            bank=bank,
            # The bank of a live game never grows, so that the game ends in the same evening.
            cap=cap or (bank if is_live else None),
            off=cleaned["off"] if unit and not is_live else Game.ClockPauses.NONE,
            reliable=cleaned["reliable"],
            overrun=cleaned["overrun"] or Game.OnTimeout.DECIDE,
            start=cleaned["start"] or Game.Start.FULL,
            team_chat=Game.TeamChat.OFF if self._user.is_guest else cleaned["team_chat"],
            late=0 if self._user.is_guest else cleaned["late"] or 0,
            programs=cleaned["programs"],
            rated=cleaned["rated"] and not self._user.is_guest,
        )

    def remembered(self) -> dict[str, Any]:
        """Return the choices to show next time, as they were posted."""
        names = set(self.fields) - _NOT_REMEMBERED
        chosen = {name: self[name].value() for name in names if self[name].value() not in (None, "")}
        if self.cleaned_data.get("speed") in SPEEDS:
            chosen |= {"pace": self.cleaned_data["pace"] or "", "unit": self.cleaned_data["unit"]}
        if self.cleaned_data.get("speed") in LIVE_BANKS:
            chosen = {**chosen, "bank": self.cleaned_data["bank"], "cap": ""}
        return {"system": self.system, **chosen}


def _team_field(system: str) -> forms.ChoiceField:
    """Return a field that offers each number of teams; without an answer everybody plays alone."""
    sentences = PRESENTERS[system].option_values()
    return forms.ChoiceField(
        label=PRESENTERS[system].option_names()["teams"],
        choices=[(value, sentences["teams", value]) for value in SYSTEMS[system].OPTIONS["teams"]],
        initial=NO_TEAMS,
        required=False,
        widget=forms.RadioSelect,
    )


def _speed(pace: Any, unit: Any, bank: Any, cap: Any) -> str:
    """Return the usual speed with this pace and unit, or that it is another one."""
    if unit == "none":
        return "none"
    found = next(
        (name for name, usual in SPEEDS.items() if (str(usual[0]), usual[1]) == (str(pace), unit)), OWN
    )
    if found in LIVE_BANKS and (str(LIVE_BANKS[found]), "") != (str(bank), str(cap or "")):
        return OWN
    return found
