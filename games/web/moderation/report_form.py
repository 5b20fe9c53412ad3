"""The form for an abuse report."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.models import AbuseReport
from games.models.abuse_report import MAX_REPORT_LENGTH

Trouble = AbuseReport.Trouble

# Categories that fit a chat message.
OF_A_LINE = (Trouble.INSULT, Trouble.SPAM, Trouble.CHEATING, Trouble.OTHER)


class ReportForm(forms.Form):
    """The category and an explanation.

    `troubles` are the categories that fit, the likeliest first; by default all, with none chosen.
    """

    trouble = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        error_messages={
            "required": gettext_lazy("Choose a reason."),
            "invalid_choice": gettext_lazy("Choose a reason from the list."),
        },
    )
    # No max_length: games.moderation.abuse_reports checks it, so that no text is lost.
    reason = forms.CharField(
        label=gettext_lazy("Details"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": MAX_REPORT_LENGTH}),
        help_text=gettext_lazy("What happened, and where? Only moderators can read this."),
    )

    def __init__(self, *args: Any, troubles: Sequence[Trouble] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["trouble"]
        assert isinstance(field, forms.ChoiceField)
        unsaid = [] if troubles else [("", gettext_lazy("Choose a reason"))]
        field.choices = [*unsaid, *((trouble.value, trouble.label) for trouble in troubles or Trouble)]
