"""The choices of members who look for a live game."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from games.models import QueuedPlayer
from games.models.game import SEATS
from games.web.lobby.play_now_form import LEVEL, levels

NEVER = "never"


class LiveQueueForm(forms.Form):
    """A member’s wish for a live game; it begins with the last choices."""

    pace = forms.ChoiceField(
        label=gettext_lazy("Time per move"), widget=forms.RadioSelect, choices=QueuedPlayer.Pace.choices
    )
    least = forms.TypedChoiceField(
        label=gettext_lazy("At least"), coerce=int, choices=[(n, str(n)) for n in SEATS]
    )
    most = forms.TypedChoiceField(
        label=gettext_lazy("At most"), coerce=int, choices=[(n, str(n)) for n in SEATS]
    )
    patience = forms.ChoiceField(
        label=gettext_lazy("Offer computer players"),
        choices=[
            ("30", ngettext_lazy("After %d second", "After %d seconds", 30) % 30),
            ("60", ngettext_lazy("After %d minute", "After %d minutes", 1) % 1),
            ("120", ngettext_lazy("After %d minute", "After %d minutes", 2) % 2),
            ("300", ngettext_lazy("After %d minute", "After %d minutes", 5) % 5),
            (NEVER, gettext_lazy("Never")),
        ],
    )

    def __init__(self, data: Any = None, *, last: QueuedPlayer | None) -> None:
        queued = last or QueuedPlayer(patience=60)
        initial = {
            "pace": queued.pace,
            "least": queued.least,
            "most": queued.most,
            "patience": str(queued.patience or NEVER),
        }
        super().__init__(data, initial=initial, label_suffix="")

    def clean(self) -> dict[str, Any]:
        """Refuse a range that ends before it begins."""
        cleaned = super().clean() or {}
        if cleaned.get("least", 0) > cleaned.get("most", SEATS[-1]):
            self.add_error("most", _("“At most” is lower than “At least”. Choose a higher number."))
        return cleaned

    def wish(self) -> dict[str, Any]:
        """The choices as `live_queue.enter` takes them."""
        chosen = dict(self.cleaned_data)
        patience = chosen.pop("patience")
        return chosen | {"patience": None if patience == NEVER else timedelta(seconds=int(patience))}


class OfferForm(forms.Form):
    """The level of computer players for the open seats; without one the member keeps waiting."""

    level = forms.ChoiceField(label=gettext_lazy("Level"), required=False)

    def __init__(self, data: Any = None, *, system: str, last: str = "") -> None:
        super().__init__(data, initial={"level": last or LEVEL}, label_suffix="")
        field = self.fields["level"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = levels(system)
        # The field is outside its form, in the part that is updated, and keeps what was chosen.
        field.widget.attrs |= {"form": "act", "hx-preserve": "true"}
