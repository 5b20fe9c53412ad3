"""Template replies to appeals."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.moderation.staff_actions import Text

# By name: the label that staff chooses and the text that the member reads.
REPLIES: Final[dict[str, tuple[Text, Text]]] = {
    "stands": (
        _("It stands"),
        _("We have read your answer and looked at it once more. What we decided stands."),
    ),
    "understood": (
        _("Understood, and it stands"),
        _("Thank you for your answer. We understand it better now. What we decided stands all the same."),
    ),
    "more": (
        _("Tell us more"),
        _("Thank you for your answer. Please tell us more: what happened, in which game, and when?"),
    ),
    "own": (_("My own words only"), ""),
}
