"""Cases on the moderation desk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

# Limit of cases per source; solving some reveals the next.
MOST = 50


class DeskTopic(TextChoices):
    """Topics of the desk, the most pressing first."""

    STUCK = "stuck", _("Stuck games")
    FAILED = "failed", _("Moves that computer players could not make")
    OVERDUE = "overdue", _("Games with no action after time ran out")
    SEAT = "seat", _("Seats of banned members")
    HELD = "held", _("Games paused by a moderator")
    REPORT = "report", _("Reports")
    APPEAL = "appeal", _("Appeals")
    SIGN_UP = "sign-up", _("Suspicious sign-ups")
    UNSENT = "unsent", _("Undelivered notifications")


@dataclass(frozen=True, slots=True)
class DeskCase:
    """A problem that needs attention: a sentence, and since when.

    `model` and `key` name the row on whose page it is solved ("games.game", 17); `search` finds the rows in
    the list of that model if it is about several.
    """

    concern: DeskTopic
    sentence: str
    since: datetime
    model: str
    key: int | None = None
    search: Mapping[str, str] = field(default_factory=dict)
