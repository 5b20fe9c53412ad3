"""The table of a member's settings in which each kind of notification has a choice for each channel."""

from dataclasses import dataclass

from django import forms

from accounts.models import User
from games.models import Channel, Kind
from games.models.notification import NEVER_MAILED
from games.notifications import delivery_history


@dataclass(frozen=True)
class KindChoice:
    """A member’s choice of one kind of notification by one channel."""

    kind: Kind
    channel: Channel
    wanted: bool

    @property
    def value(self) -> str:
        return f"{self.kind}:{self.channel}"


_CHOICES = {
    f"{kind}:{channel}": (kind, channel)
    for kind in Kind
    for channel in Channel
    if channel != Channel.MAIL or kind not in NEVER_MAILED
}


class KindsForm(forms.Form):
    """Every choice that is on."""

    kinds = forms.TypedMultipleChoiceField(
        choices=[(value, value) for value in _CHOICES], coerce=_CHOICES.__getitem__, required=False
    )


class KindForm(KindsForm):
    """The choice that was just pressed, `changed`; `undo` is set if Undo pressed it."""

    changed = forms.TypedChoiceField(
        choices=[(value, value) for value in _CHOICES], coerce=_CHOICES.__getitem__
    )
    undo = forms.BooleanField(required=False)


def kind_rows(user: User) -> list[tuple[Kind, list[KindChoice | None]]]:
    """The choices of a member by kind, one for each channel; None where there is no choice."""
    wanted = delivery_history.wanted_kinds(user)

    def choice(kind: Kind, channel: Channel) -> KindChoice | None:
        found = KindChoice(kind, channel, (kind, channel) in wanted)
        return found if found.value in _CHOICES else None

    return [(kind, [choice(kind, channel) for channel in Channel]) for kind in Kind]
