"""Forms of the settings page: profile, display, mail and browser."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.membership import name_changes
from accounts.models import User
from accounts.names.validators import available_time_zones, known_time_zone

# The other areas of the database are old names of the same zones.
AREAS = {
    *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian"),
    "Pacific",
}


class SettingsForm(forms.ModelForm):
    """A part of the settings; `instance` is the member."""

    def save(self, commit: bool = True) -> User:
        self.instance.save(update_fields=self._meta.fields)
        return self.instance


class ProfileForm(forms.Form):
    """Name and time zone of a member; a guest cannot change the name."""

    username = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=20,
        help_text=gettext_lazy(
            "3 to 20 letters (a to z), digits, hyphens or underscores. "
            "For thirty days nobody else can take the one you give up."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
    )
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), required=False)

    def __init__(self, data: Any = None, *, instance: User) -> None:
        self.user = instance
        initial = {"username": instance.username, "time_zone": instance.time_zone}
        super().__init__(data, initial=initial)
        if instance.is_guest:
            del self.fields["username"]
        field = self.fields["time_zone"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = time_zone_choices(instance.time_zone)

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if name != self.user.username:
            name_changes.check_name(name, by=self.user)
        return name

    def save(self) -> None:
        """Save the form. Raises ValidationError if the name was taken meanwhile."""
        name = self.cleaned_data.get("username", self.user.username)
        if name != self.user.username:
            name_changes.rename(self.user, name)
        self.user.time_zone = self.cleaned_data["time_zone"]
        self.user.save(update_fields=["time_zone"])


class DisplayForm(SettingsForm):
    class Meta:
        model = User
        fields = ["theme", "patterns", "confirm_placing", "confirm_sending"]
        help_texts = {
            "patterns": gettext_lazy(
                "Stripes and dots besides the colours, so that no two chains look alike."
            ),
            "confirm_placing": gettext_lazy(
                "The button then asks “Really place 8E?” and wants a second press."
            ),
            "confirm_sending": gettext_lazy(
                "Also before you buy, choose a chain, decide about shares or send a whole turn."
            ),
        }


class MailForm(SettingsForm):
    # Short enough for a phone.
    mail_mode = forms.ChoiceField(
        label=gettext_lazy("When it is my turn, write me"),
        choices=[
            (User.MailMode.AT_ONCE, gettext_lazy("at once")),
            (User.MailMode.DELAYED, gettext_lazy("unless I come by myself")),
            (User.MailMode.DIGEST, gettext_lazy("once a day, all in one")),
            (User.MailMode.OFF, gettext_lazy("never")),
        ],
    )

    class Meta:
        model = User
        fields = ["mail_mode", "mail_delay", "digest_hour"]
        labels = {"mail_delay": gettext_lazy("Minutes to wait for me to come by myself")}
        help_texts = {
            "mail_delay": gettext_lazy("1 to 120. What falls due meanwhile comes in the same mail."),
            "digest_hour": gettext_lazy("0 to 23, on the clock of my time zone."),
        }


class BrowserForm(forms.Form):
    """Form for what the browser reports by itself: its time zone, and the colours chosen on a page."""

    zone = forms.CharField(required=False, max_length=64, validators=[known_time_zone])
    theme = forms.ChoiceField(required=False, choices=User.Theme)
    patterns = forms.ChoiceField(required=False, choices=[("on", "on"), ("off", "off")])

    def save(self, user: User) -> None:
        """Save what was reported. A known time zone is not overwritten."""
        told = self.cleaned_data
        if told["zone"]:
            User.objects.filter(pk=user.pk, time_zone="").update(time_zone=told["zone"])
        if told["theme"]:
            User.objects.filter(pk=user.pk).update(theme=told["theme"])
        if told["patterns"]:
            User.objects.filter(pk=user.pk).update(patterns=told["patterns"] == "on")


def time_zone_choices(chosen: str) -> list[Any]:
    """Time zone choices grouped by continent; the chosen one is always among them."""
    areas: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_time_zones() | {chosen}):
        area, _slash, place = name.partition("/")
        if area in AREAS and place:
            areas.setdefault(area, []).append((name, place.replace("_", " ").replace("/", ", ")))
        elif name in {"UTC", chosen} and name:
            areas.setdefault("UTC", []).append((name, name))
    return [("", _("as the site: {zone}").format(zone=settings.TIME_ZONE)), *areas.items()]
