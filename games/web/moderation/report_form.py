"""What somebody who reports something is asked."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.models import AbuseReport
from games.models.abuse_report import REPORT_LENGTH

Trouble = AbuseReport.Trouble

# What can be wrong with a line of the talk.
OF_A_LINE = (Trouble.INSULT, Trouble.SPAM, Trouble.CHEATING, Trouble.OTHER)


class ReportForm(forms.Form):
    """What the trouble is, and more in one's own words.

    `troubles` are those that fit, the likeliest first; without them it must be chosen from all.
    """

    trouble = forms.ChoiceField(
        label=gettext_lazy("What is wrong"),
        error_messages={
            "required": gettext_lazy("Choose what is wrong."),
            "invalid_choice": gettext_lazy("Choose what is wrong from the list."),
        },
    )
    # Its length is for the service to say: nothing of it is lost that way.
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
