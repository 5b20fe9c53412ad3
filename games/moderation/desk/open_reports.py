"""Cases of open abuse reports; the reporters are named only on the report's own page."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from accounts.models import User
from games.models import AbuseReport
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.desk.game_people import people_by_game
from games.moderation.report_queue import ReportGroup, queue

_REPORTED = {
    AbuseReport.About.LINE: ngettext_lazy(
        "A chat message was reported: {troubles}.",
        "A chat message was reported {n} times: {troubles}.",
        "n",
    ),
    AbuseReport.About.PERSON: ngettext_lazy(
        "A member was reported: {troubles}.", "A member was reported {n} times: {troubles}.", "n"
    ),
    AbuseReport.About.NAME: ngettext_lazy(
        "A name was reported: {troubles}.", "A name was reported {n} times: {troubles}.", "n"
    ),
    AbuseReport.About.GAME: ngettext_lazy(
        "A game was reported: {troubles}.", "A game was reported {n} times: {troubles}.", "n"
    ),
}
_REPORTED_GAME = ngettext_lazy(
    "The game of {people} was reported: {troubles}.",
    "The game of {people} was reported {n} times: {troubles}.",
    "n",
)


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
    key = _reported_game(group)
    facts = {"n": len(group.reports), "troubles": _troubles(group)}
    if key is not None and key in people:
        told = _REPORTED_GAME.format(people=people[key], **facts)
    else:
        told = _REPORTED[AbuseReport.About(group.first.about)].format(**facts)
    if group.held_until is None:
        return told
    return " ".join([told, _("{name} is handling it.").format(name=group.first.claimed_by)])


def _troubles(group: ReportGroup) -> str:
    """Everything the reporters find wrong, what was reported first at the beginning."""
    return "; ".join(dict.fromkeys(str(report.get_category_display()) for report in group.reports))
