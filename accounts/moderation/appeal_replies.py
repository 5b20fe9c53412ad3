"""Template replies to appeals."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.moderation.staff_actions import Text

# By name: the label that staff chooses and the text that the member reads.
REPLIES: Final[dict[str, tuple[Text, Text]]] = {
    "stands": (
        _("Decision upheld"),
        _("We have read your appeal and looked at the decision again. It stands."),
    ),
    "understood": (
        _("Appeal understood, decision upheld"),
        _("Thank you for your appeal. We understand better now what happened, but the decision stands."),
    ),
    "more": (
        _("More information needed"),
        _("Thank you for your appeal. Please tell us more: what happened, in which game, and when?"),
    ),
    "own": (_("Only my own text"), ""),
}
