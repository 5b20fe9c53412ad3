"""Reports on the desk: that there is one, and about what; who said what stands on its own page."""

from datetime import datetime

from django.db.models import Count, Min
from django.utils.translation import ngettext

from games.models import Report
from games.models.systems import withheld

from .case import MOST, Case, Concern


def open_reports(now: datetime) -> list[Case]:
    """A case for each thing that somebody reported and nobody settled."""
    waiting = Report.objects.filter(settled=None).exclude(line__game__system__in=withheld())
    found = waiting.order_by().values("line").annotate(number=Count("pk"), since=Min("made"), first=Min("pk"))
    return [
        Case(
            Concern.REPORT,
            ngettext(
                "A line of the talk was reported.",
                "A line of the talk was reported {n} times.",
                row["number"],
            ).format(n=row["number"]),
            row["since"],
            "games.report",
            key=row["first"],
        )
        for row in found.order_by("since")[:MOST]
    ]
