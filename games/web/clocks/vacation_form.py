"""The form for a vacation."""

from datetime import date

from django import forms
from django.utils.translation import gettext_lazy


class VacationForm(forms.Form):
    first = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=gettext_lazy("Last day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    @property
    def days(self) -> tuple[date, date]:
        """The first and last day of a valid form."""
        return self.cleaned_data["first"], self.cleaned_data["last"]
