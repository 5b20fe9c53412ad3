"""The form for an abuse report."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.models import AbuseReport
from games.models.abuse_report import REPORT_LENGTH

Trouble = AbuseReport.Trouble

# Categories that fit a chat message.
OF_A_LINE = (Trouble.INSULT, Trouble.SPAM, Trouble.CHEATING, Trouble.OTHER)


class ReportForm(forms.Form):
    """The category and an explanation.

    `troubles` are the categories that fit, the likeliest first; by default all, with none chosen.
    """

    trouble = forms.ChoiceField(
        label=gettext_lazy("What is wrong"),
        error_messages={
            "required": gettext_lazy("Choose what is wrong."),
            "invalid_choice": gettext_lazy("Choose what is wrong from the list."),
        },
    )
    # No max_length: games.moderation.abuse_reports checks it, so that no text is lost.
    reason = forms.CharField(
        label=gettext_lazy("In your own words"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": REPORT_LENGTH}),
        help_text=gettext_lazy(
            "What happened, and where. Those who look after the site read it, nobody else."
        ),
    )

    def __init__(self, *args: Any, troubles: Sequence[Trouble] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["trouble"]
        assert isinstance(field, forms.ChoiceField)
        unsaid = [] if troubles else [("", gettext_lazy("Choose"))]
        field.choices = [*unsaid, *((trouble.value, trouble.label) for trouble in troubles or Trouble)]
