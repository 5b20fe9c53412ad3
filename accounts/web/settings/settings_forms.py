"""Forms of the settings page: the name, the choices, and what the browser reports."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.membership import name_changes
from accounts.membership.account_deletion import delete_unconfirmed
from accounts.models import User
from accounts.names.validators import available_time_zones, known_time_zone

# The other areas of the database are old names of the same zones.
AREAS = {
    *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian"),
    "Pacific",
}


# Settings that a browser reports as on or off.
_SWITCHED = ("patterns", "square_names", "sounds")
_SWITCH = [("on", "on"), ("off", "off")]
_MINUTES = (1, 3, 5, 10, 15, 30, 60, 120)
# The choices of the settings page by section.
_GROUPS = {
    "profile": ["time_zone"],
    "display": ["theme", "patterns", "coach_marks", "confirm_placing", "confirm_sending"],
    "board": ["square_names", "sounds"],
    "mail": ["mail_mode", "mail_delay", "digest_hour", "quiet_nights", "codes_from_links"],
}
_CHOICES = [name for names in _GROUPS.values() for name in names]


class NameForm(forms.Form):
    """A new name for a member."""

    username = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=20,
        help_text=gettext_lazy(
            "3 to 20 letters (a to z), digits, hyphens or underscores. Your old name stays reserved "
            "for you for 30 days."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, *, instance: User) -> None:
        self.user = instance
        super().__init__(data, initial={"username": instance.username})

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if name != self.user.username:
            delete_unconfirmed(timezone.now(), name, by=self.user)
            name_changes.check_name(name, by=self.user)
        return name

    def save(self) -> None:
        """Rename the member. Raises ValidationError if the name was taken meanwhile."""
        name = self.cleaned_data["username"]
        if name != self.user.username:
            name_changes.rename(self.user, name)


class ChoicesForm(forms.ModelForm):
    """The choices of the settings page: all of them, or only `changed`, the one that was just made.

    `undo` is set if Undo made it. Guests have no choices about email.
    """

    changed = forms.ChoiceField(required=False)
    undo = forms.BooleanField(required=False)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)
    # Short enough for a phone.
    mail_mode = forms.ChoiceField(
        label=gettext_lazy("When it is my turn, email me"),
        choices=[
            (User.MailMode.AT_ONCE, gettext_lazy("Right away")),
            (User.MailMode.DELAYED, gettext_lazy("After a delay, unless I visit")),
            (User.MailMode.DIGEST, gettext_lazy("Once a day, in one email")),
            (User.MailMode.OFF, gettext_lazy("Never")),
        ],
    )

    coach_marks = forms.ChoiceField(
        label=gettext_lazy("Tips at the table"),
        choices=[
            (User.CoachMarks.FIRST_GAME, gettext_lazy("Until I have finished a game")),
            (User.CoachMarks.ON, gettext_lazy("On: show each one again")),
            (User.CoachMarks.OFF, gettext_lazy("Off")),
        ],
        help_text=gettext_lazy("Short notes on the rules. Each one is shown once, when it matters."),
    )

    class Meta:
        model = User
        fields = _CHOICES
        labels = {
            "mail_delay": gettext_lazy("Delay"),
            "quiet_nights": gettext_lazy("No emails at night"),
            "codes_from_links": gettext_lazy("Links in my emails can log me in with a code"),
        }
        help_texts = {
            "patterns": gettext_lazy("Stripes and dots help you tell the chains apart without colour."),
            "confirm_placing": gettext_lazy(
                "The button changes to “Confirm: place 8E” and needs a second press."
            ),
            "confirm_sending": gettext_lazy(
                "This also applies when you buy shares, choose a chain, sell, trade or hold shares, or "
                "send a whole turn."
            ),
            "square_names": gettext_lazy("Without them, point at a square to read its name."),
            "sounds": gettext_lazy("You hear a tile, a merger, your turn and the end of a game."),
            "mail_delay": gettext_lazy("Anything that happens in the meantime goes into the same email."),
            "digest_hour": gettext_lazy("In your time zone."),
            "quiet_nights": gettext_lazy(
                "From 23:00 to 07:00. The daily email comes at the hour you choose."
            ),
            "codes_from_links": gettext_lazy(
                "If you open a link while logged out, you can get a code by email with one press. "
                "The code takes you to your move. Anyone who reads your email can play for you that "
                "way. You still need your second factor, if you have one."
            ),
        }
        widgets = {"mail_delay": forms.Select, "digest_hour": forms.Select}

    def __init__(self, data: Any = None, *, instance: User) -> None:
        super().__init__(data, instance=instance)
        offered = _CHOICES if not instance.is_guest else [n for n in _CHOICES if n not in _GROUPS["mail"]]
        changed = (data or {}).get("changed")
        wanted = [changed] if changed in offered else offered
        for name in set(_CHOICES) - set(wanted):
            del self.fields[name]
        self._offer("changed", lambda: [(name, name) for name in ("", *offered)])
        self._offer("time_zone", lambda: time_zone_choices(instance.time_zone))
        self._offer("mail_delay", lambda: _delays(instance.mail_delay))
        self._offer("digest_hour", lambda: [(hour, f"{hour:02}:00") for hour in range(24)])

    def _offer(self, name: str, choices: Callable[[], list[Any]]) -> None:
        """Set the choices of this field, if the form has it."""
        if (field := self.fields.get(name)) is not None:
            shown = field if isinstance(field, forms.ChoiceField) else field.widget
            shown.choices = choices()

    def save(self, commit: bool = True) -> User:
        self.instance.save(update_fields=[name for name in _CHOICES if name in self.fields])
        return self.instance

    @property
    def groups(self) -> dict[str, list[forms.BoundField]]:
        """The choices by section of the page."""
        return {
            group: [self[name] for name in names if name in self.fields] for group, names in _GROUPS.items()
        }

    @property
    def made(self) -> forms.BoundField:
        """The choice that was just made."""
        return self[self.cleaned_data["changed"]]

    @property
    def before(self) -> Any:
        """The value before this choice was made; "" for a box that was not ticked."""
        before = self.initial[self.cleaned_data["changed"]]
        return "" if before is None or before is False else before


class BrowserForm(forms.Form):
    """Form for what the browser reports by itself: its time zone, and what was chosen on a page."""

    zone = forms.CharField(required=False, max_length=64, validators=[known_time_zone])
    theme = forms.ChoiceField(required=False, choices=User.Theme)
    patterns = forms.ChoiceField(required=False, choices=_SWITCH)
    square_names = forms.ChoiceField(required=False, choices=_SWITCH)
    sounds = forms.ChoiceField(required=False, choices=_SWITCH)

    def save(self, user: User) -> None:
        """Save what was reported. A known time zone is not overwritten."""
        told = self.cleaned_data
        if told["zone"]:
            User.objects.filter(pk=user.pk, time_zone="").update(time_zone=told["zone"])
        if told["theme"]:
            User.objects.filter(pk=user.pk).update(theme=told["theme"])
        switched = {name: told[name] == "on" for name in _SWITCHED if told[name]}
        if switched:
            User.objects.filter(pk=user.pk).update(**switched)


def _delays(chosen: int) -> list[tuple[int, str]]:
    """Email delays in words; the chosen one is always among them."""
    return [
        (minutes, ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes))
        for minutes in sorted({*_MINUTES, chosen})
    ]


def time_zone_choices(chosen: str) -> list[Any]:
    """Time zone choices grouped by continent; the chosen one is always among them."""
    areas: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_time_zones() | {chosen}):
        area, _slash, place = name.partition("/")
        if area in AREAS and place:
            areas.setdefault(area, []).append((name, place.replace("_", " ").replace("/", ", ")))
        elif name in {"UTC", chosen} and name:
            areas.setdefault("UTC", []).append((name, name))
    return [("", _("Site default: {zone}").format(zone=settings.TIME_ZONE)), *areas.items()]
