"""The form for a practice table."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.names.lookalikes import skeleton
from accounts.names.validators import name_is_nobodys, name_shape
from games.lobby.game_terms import GameTerms
from games.lobby.open_seats import PracticePlayer
from games.web.lobby.play_now_form import levels
from games.web.lobby.rules_form import RulesForm

PERSON = "person"


def _refusal_of(name: str) -> ValidationError | None:
    """Return the error for a name that no person at a practice table may have."""
    try:
        name_shape(name)
        name_is_nobodys(name)
    except ValidationError as error:
        return error
    return None


@dataclass(frozen=True, slots=True)
class PracticeSeat:
    """The fields of one seat: its kind of player and their name."""

    number: int
    who: BoundField
    name: BoundField


class PracticeForm(RulesForm):
    """A practice table of one rule system. People have names like those of members, but no accounts."""

    def __init__(self, user: Any, system: str, data: Any = None) -> None:
        super().__init__(system, data)
        kinds = [("", _("Empty")), (PERSON, _("Person on this device")), *levels(system)]
        for number in self._numbers():
            label = _("Seat {n}").format(n=number)
            self.fields[f"who_{number}"] = forms.ChoiceField(
                label=label, choices=kinds, required=False, initial=PERSON if number <= 2 else ""
            )
            self.fields[f"name_{number}"] = forms.CharField(
                label=_("Name on seat {n}").format(n=number), max_length=20, required=False, strip=True
            )
            # The style sheet hides an empty name where no person sits.
            self.fields[f"name_{number}"].widget.attrs["placeholder"] = " "
        if user.is_authenticated and not user.is_guest and not _refusal_of(user.get_short_name()):
            self.initial["name_1"] = user.get_short_name()

    def _numbers(self) -> range:
        return range(1, self._rules.SEATS[-1] + 1)

    @property
    def places(self) -> list[PracticeSeat]:
        """The fields of all seats, in their order."""
        return [PracticeSeat(n, self[f"who_{n}"], self[f"name_{n}"]) for n in self._numbers()]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        taken = [number for number in self._numbers() if cleaned.get(f"who_{number}")]
        people = [number for number in taken if cleaned[f"who_{number}"] == PERSON]
        if len(taken) < self._rules.SEATS[0]:
            least = self._rules.SEATS[0]
            sentence = ngettext("Choose at least {n} player.", "Choose at least {n} players.", least)
            self.add_error(None, sentence.format(n=least))
        elif not people:
            self.add_error(None, _("At least one player must be a person."))
        for number in set(self._numbers()) - set(taken):
            # The name that was filled in beforehand may stay when its seat is left empty.
            if cleaned.get(f"name_{number}") and f"name_{number}" in self.changed_data:
                self.add_error(
                    f"who_{number}",
                    _(
                        "This seat has a name but is set to “Empty”. Choose “Person on this device”, "
                        "or clear the name."
                    ),
                )
        known: set[str] = set()
        for number in people:
            self._check_person(number, known)
        return cleaned

    def _check_person(self, number: int, known: set[str]) -> None:
        """Add an error if the name is invalid or looks like a `known` one, else add it to `known`."""
        field = f"name_{number}"
        if field in self.errors:
            return
        name = self.cleaned_data[field]
        if refusal := _refusal_of(name):
            self.add_error(field, refusal)
            return
        if skeleton(name) in known:
            self.add_error(
                field, _("This name looks too much like another one at the table. Choose another one.")
            )
        known.add(skeleton(name))

    def players(self) -> list[PracticePlayer | str]:
        """Return the players chosen in a valid form: people by name, bots by level."""
        cleaned = self.cleaned_data
        chosen = [(cleaned[f"who_{n}"], cleaned[f"name_{n}"]) for n in self._numbers()]
        return [PracticePlayer(name) if who == PERSON else who for who, name in chosen if who]

    def terms(self) -> GameTerms:
        """Return the terms chosen in a valid form."""
        seats = len(self.players())
        return GameTerms(**self.rules_chosen(), least=seats, most=seats)
