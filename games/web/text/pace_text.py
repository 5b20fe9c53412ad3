"""The paces to which players may change a game, in words."""

from typing import Final

from django.utils.translation import gettext_lazy as _

# Inside a sentence, after "play on".
PACE_NAMES: Final = {
    "fast": _("live, with 3 min + 30 s per move"),
    "evening": _("live, with 5 min + 60 s per move"),
    "day": _("by mail, with 1 day per move"),
    "days": _("by mail, with 3 days per move"),
    "none": _("by mail, without a time limit"),
}


def pace_name(name: str) -> str:
    """Return the words for a pace by its name in the log."""
    return str(PACE_NAMES[name])
