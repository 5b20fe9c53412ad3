"""Cases of open abuse reports; the reporters are named only on the report's own page."""

from datetime import datetime

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.report_queue import ReportGroup, queue


def open_reports(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each reported subject that the reader may handle, except those about the reader."""
    return [
        DeskCase(
            DeskTopic.REPORT, _sentence(group), group.first.made, "games.abusereport", key=group.first.pk
        )
        for group in queue(reader)[:MOST]
    ]


def _sentence(group: ReportGroup) -> str:
    number = len(group.reports)
    told = ngettext("{trouble}: {what}.", "{trouble}: {what}, reported {n} times.", number).format(
        trouble=capfirst(group.first.get_category_display()), what=group.first.get_about_display(), n=number
    )
    if group.held_until is None:
        return told
    return _("{sentence} {name} looks at it.").format(sentence=told, name=group.first.claimed_by)
