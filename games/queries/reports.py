"""What was reported: for who reported it, and for those who look at it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import Line, Report
from games.services.handling import HANDLE, MANAGE, held_until

MINE = 50
QUEUE = 200
AROUND = 5
EARLIER = 20


@dataclass(frozen=True)
class Group:
    """All open reports of one thing, the oldest first."""

    reports: list[Report]

    @property
    def first(self) -> Report:
        return self.reports[0]

    @property
    def held_until(self) -> datetime | None:
        """Until when the one who claimed it has it; None when nobody does."""
        return held_until(self.first)


def reports_by(user: User) -> QuerySet[Report]:
    """What the user has reported, the latest first."""
    found = Report.objects.filter(by=user).select_related("person", "game", "line")
    return found.order_by("-made", "-pk")[:MINE]


def queue(by: User | None) -> list[Group]:
    """The open reports that this person may handle, in groups, the oldest first; none about the person.

    `by` is None for whoever has the server's shell, who may handle all.
    """
    found = Report.objects.filter(settled=None).select_related("person", "game", "line", "by", "claimed_by")
    if by is not None:
        found = found.filter(_handled_by(by)).exclude(person=by)
    groups: dict[str, list[Report]] = {}
    for report in found.order_by("made", "pk")[:QUEUE]:
        groups.setdefault(report.subject, []).append(report)
    return [Group(reports) for reports in groups.values()]


def _handled_by(by: User) -> Q:
    """Reports of members go to their managers once they are handed on."""
    rights = Q(pk__in=[])
    if by.has_perm(HANDLE):
        rights |= Q(handed=None)
    if by.has_perm(MANAGE):
        rights |= Q(handed__isnull=False)
    return rights


def together(report: Report) -> list[Report]:
    """The open reports of the same thing, the oldest first; of a settled one those settled with it."""
    same = Report.objects.filter(subject=report.subject, settled=report.settled)
    return list(same.select_related("by", "claimed_by").order_by("made", "pk"))


def lines_around(line: Line) -> list[Line]:
    """The line with what was said before and after it in the same channel, also what was taken away."""
    said = Line.objects.filter(game=line.game_id, channel=line.channel).select_related("user")
    before = said.filter(pk__lte=line.pk).order_by("-pk")[: AROUND + 1]
    after = said.filter(pk__gt=line.pk).order_by("pk")[:AROUND]
    return [*reversed(before), *after]


def reports_about(person: User, besides: Iterable[Report] = ()) -> QuerySet[Report]:
    """What was reported of this person, the latest first."""
    found = Report.objects.filter(person=person).exclude(pk__in=[report.pk for report in besides])
    return found.select_related("by", "game", "person", "line").order_by("-made", "-pk")[:EARLIER]
