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
    FAILED = "failed", _("Moves that computers could not make")
    OVERDUE = "overdue", _("Games in which nothing followed when time was over")
    SEAT = "seat", _("Seats of members who were shut out")
    HELD = "held", _("Games that a moderator has paused")
    REPORT = "report", _("Reports")
    APPEAL = "appeal", _("Answers to sanctions")
    SIGN_UP = "sign-up", _("Suspicious sign-ups")
    UNSENT = "unsent", _("News that did not reach anybody")


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
