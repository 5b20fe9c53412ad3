"""Lists of abuse reports, for reporters and moderators."""

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
    """All open reports of one subject, the oldest first."""

    reports: list[AbuseReport]

    @property
    def first(self) -> AbuseReport:
        return self.reports[0]

    @property
    def held_until(self) -> datetime | None:
        """The end of the current claim; None without one."""
        return claimed_until(self.first)


def reports_by(user: User) -> QuerySet[AbuseReport]:
    """The user's reports, the latest first."""
    found = AbuseReport.objects.filter(by=user).select_related("person", "game", "line")
    found = found.prefetch_related("game__seats__user")
    return found.order_by("-made", "-pk")[:MINE]


def queue(by: User | None) -> list[ReportGroup]:
    """Open reports that this person may handle, grouped, the oldest first; none about the person.

    `by` is None for the server's shell, which may handle all.
    """
    found = AbuseReport.objects.filter(settled=None).select_related("person", "game", "line", "by")
    # Few are claimed: joined, all members would be read.
    found = found.prefetch_related("game__seats__user", "claimed_by")
    if by is not None:
        found = found.filter(_handled_by(by)).exclude(person=by)
    groups: dict[str, list[AbuseReport]] = {}
    for report in found.order_by("made", "pk")[:QUEUE]:
        groups.setdefault(report.subject, []).append(report)
    return [ReportGroup(reports) for reports in groups.values()]


def _handled_by(by: User) -> Q:
    """The condition that this person handles a report: member managers handle escalated ones."""
    rights = Q(pk__in=[])
    if by.has_perm(HANDLE):
        rights |= Q(escalated_at=None)
    if by.has_perm(MANAGE):
        rights |= Q(escalated_at__isnull=False)
    return rights


def same_subject(report: AbuseReport) -> list[AbuseReport]:
    """The open reports of the same subject, the oldest first; for a settled one, those settled with it."""
    same = AbuseReport.objects.filter(subject=report.subject, settled=report.settled)
    return list(same.select_related("by", "claimed_by").order_by("made", "pk"))


def lines_around(line: ChatMessage) -> list[ChatMessage]:
    """The message with those before and after it in the same channel, removed ones included."""
    said = ChatMessage.objects.filter(game=line.game_id, channel=line.channel).select_related("user")
    before = said.filter(pk__lte=line.pk).order_by("-pk")[: AROUND + 1]
    after = said.filter(pk__gt=line.pk).order_by("pk")[:AROUND]
    return [*reversed(before), *after]


def reports_about(person: User, besides: Iterable[AbuseReport] = ()) -> QuerySet[AbuseReport]:
    """Reports about this person, the latest first."""
    found = AbuseReport.objects.filter(person=person).exclude(pk__in=[report.pk for report in besides])
    found = found.select_related("by", "game", "person", "line").prefetch_related("game__seats__user")
    return found.order_by("-made", "-pk")[:EARLIER]
