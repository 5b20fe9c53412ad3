"""Reports on the desk: that there is one, and about what; who said what stands on its own page."""

from datetime import datetime
from typing import Final

from django.db.models import Count, Min
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Report
from games.models.systems import withheld

from .case import MOST, Case, Concern

About = Report.About

_WHAT: Final = {
    About.LINE: gettext_lazy("A line of the talk was reported."),
    About.PERSON: gettext_lazy("A person was reported."),
    About.NAME: gettext_lazy("A name was reported."),
    About.GAME: gettext_lazy("A game was reported."),
}


def open_reports(now: datetime) -> list[Case]:
    """A case for each thing that somebody reported and nobody settled."""
    waiting = Report.objects.filter(settled=None).exclude(game__system__in=withheld())
    found = waiting.order_by().values("subject", "about")
    counted = found.annotate(number=Count("pk"), since=Min("made"), first=Min("pk"))
    return [
        Case(
            Concern.REPORT,
            _sentence(row["about"], row["number"]),
            row["since"],
            "games.report",
            key=row["first"],
        )
        for row in counted.order_by("since")[:MOST]
    ]


def _sentence(about: str, number: int) -> str:
    what = str(_WHAT[About(about)])
    if number == 1:
        return what
    return _("{what} There are {n} reports of it.").format(what=what, n=number)
