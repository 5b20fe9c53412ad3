"""What was reported: for who reported it, and for those who look at it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import AbuseReport, ChatMessage
from games.moderation.report_claims import HANDLE, MANAGE, claimed_until

MINE = 50
QUEUE = 200
AROUND = 5
EARLIER = 20


@dataclass(frozen=True)
class ReportGroup:
    """All open reports of one thing, the oldest first."""

    reports: list[AbuseReport]

    @property
    def first(self) -> AbuseReport:
        return self.reports[0]

    @property
    def held_until(self) -> datetime | None:
        """Until when the one who claimed it has it; None when nobody does."""
        return claimed_until(self.first)


def reports_by(user: User) -> QuerySet[AbuseReport]:
    """What the user has reported, the latest first."""
    found = AbuseReport.objects.filter(by=user).select_related("person", "game", "line")
    return found.order_by("-made", "-pk")[:MINE]


def queue(by: User | None) -> list[ReportGroup]:
    """The open reports that this person may handle, in groups, the oldest first; none about the person.

    `by` is None for whoever has the server's shell, who may handle all.
    """
    found = AbuseReport.objects.filter(settled=None).select_related(
        "person", "game", "line", "by", "claimed_by"
    )
    if by is not None:
        found = found.filter(_handled_by(by)).exclude(person=by)
    groups: dict[str, list[AbuseReport]] = {}
    for report in found.order_by("made", "pk")[:QUEUE]:
        groups.setdefault(report.subject, []).append(report)
    return [ReportGroup(reports) for reports in groups.values()]


def _handled_by(by: User) -> Q:
    """Reports of members go to their managers once they are handed on."""
    rights = Q(pk__in=[])
    if by.has_perm(HANDLE):
        rights |= Q(escalated_at=None)
    if by.has_perm(MANAGE):
        rights |= Q(escalated_at__isnull=False)
    return rights


def same_subject(report: AbuseReport) -> list[AbuseReport]:
    """The open reports of the same thing, the oldest first; of a settled one those settled with it."""
    same = AbuseReport.objects.filter(subject=report.subject, settled=report.settled)
    return list(same.select_related("by", "claimed_by").order_by("made", "pk"))


def lines_around(line: ChatMessage) -> list[ChatMessage]:
    """The line with what was said before and after it in the same channel, also what was taken away."""
    said = ChatMessage.objects.filter(game=line.game_id, channel=line.channel).select_related("user")
    before = said.filter(pk__lte=line.pk).order_by("-pk")[: AROUND + 1]
    after = said.filter(pk__gt=line.pk).order_by("pk")[:AROUND]
    return [*reversed(before), *after]


def reports_about(person: User, besides: Iterable[AbuseReport] = ()) -> QuerySet[AbuseReport]:
    """What was reported of this person, the latest first."""
    found = AbuseReport.objects.filter(person=person).exclude(pk__in=[report.pk for report in besides])
    return found.select_related("by", "game", "person", "line").order_by("-made", "-pk")[:EARLIER]
