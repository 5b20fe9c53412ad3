"""The form for the notification level of one game."""

from django import forms
from django.utils.translation import gettext_lazy

from games.models import GameNotificationLevel

LEVELS = [("", gettext_lazy("Same as my other games")), *GameNotificationLevel.Level.choices]


class GameLevelForm(forms.Form):
    """The chosen level, "" for that of the member's other games; `undo` is set if Undo chose it."""

    level = forms.ChoiceField(choices=LEVELS, required=False)
    undo = forms.BooleanField(required=False)
