"""Cases of open abuse reports; the reporters are named only on the report's own page."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import AbuseReport
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.desk.game_people import people_by_game
from games.moderation.report_queue import ReportGroup, queue


def open_reports(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each reported subject that the reader may handle, except those about the reader."""
    groups = queue(reader)[:MOST]
    people = people_by_game([key for group in groups if (key := _reported_game(group)) is not None])
    return [
        DeskCase(
            DeskTopic.REPORT,
            _sentence(group, people),
            group.first.made,
            "games.abusereport",
            key=group.first.pk,
        )
        for group in groups
    ]


def _reported_game(group: ReportGroup) -> int | None:
    """Return the key of the game that the reports are about, or None."""
    return group.first.game_id if group.first.about == AbuseReport.About.GAME else None


def _sentence(group: ReportGroup, people: Mapping[int, str]) -> str:
    what = group.first.get_about_display()
    if (key := _reported_game(group)) is not None and key in people:
        what = _("the game of {people}").format(people=people[key])
    number = len(group.reports)
    told = ngettext("{trouble}: {what}.", "{trouble}: {what}, reported {n} times.", number).format(
        trouble=capfirst(_troubles(group)), what=what, n=number
    )
    if group.held_until is None:
        return told
    return _("{sentence} {name} is handling it.").format(sentence=told, name=group.first.claimed_by)


def _troubles(group: ReportGroup) -> str:
    """Everything the reporters find wrong, what was reported first at the beginning."""
    return "; ".join(dict.fromkeys(str(report.get_category_display()) for report in group.reports))
