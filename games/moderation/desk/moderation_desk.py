"""The moderation desk: everything that needs a moderator. It reveals no hand, bag or seed.

Each source makes one indexed query, and one more if it has found games to name or sign-ups to check, so the
cost does not grow with the number of games.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Final

from accounts.models import User
from games.moderation.desk.desk_case import DeskCase, DeskTopic
from games.moderation.desk.open_appeals import sanctioned
from games.moderation.desk.open_reports import open_reports
from games.moderation.desk.suspicious_signups import suspicious
from games.moderation.desk.troubled_games import troubled_games
from games.moderation.desk.undelivered_mail import undelivered

Source = Callable[[datetime, User], list[DeskCase]]

# Each source with the topics of its cases.
SOURCES: Final[dict[Source, tuple[DeskTopic, ...]]] = {
    troubled_games: (DeskTopic.STUCK, DeskTopic.FAILED, DeskTopic.OVERDUE, DeskTopic.HELD),
    sanctioned: (DeskTopic.SEAT, DeskTopic.APPEAL),
    open_reports: (DeskTopic.REPORT,),
    suspicious: (DeskTopic.SIGN_UP,),
    undelivered: (DeskTopic.UNSENT,),
}


def desk(
    now: datetime, reader: User, concerns: Collection[DeskTopic] = tuple(DeskTopic)
) -> dict[DeskTopic, list[DeskCase]]:
    """Cases by topic, the oldest first; topics without cases have an empty list.

    `reader` does not see reports about themselves, nor cases that they may not handle.
    """
    found: dict[DeskTopic, list[DeskCase]] = {concern: [] for concern in DeskTopic if concern in concerns}
    for source, about in SOURCES.items():
        if set(about) & set(found):
            for case in sorted(source(now, reader), key=lambda case: case.since):
                found.setdefault(case.concern, []).append(case)
    return {concern: cases for concern, cases in found.items() if concern in concerns}
