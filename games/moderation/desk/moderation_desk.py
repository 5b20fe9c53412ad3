"""What needs somebody now. Nothing here tells of a hand, a bag or a seed.

Each source asks the database once, through an index, so the desk costs the same however many games there are.
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

# Each source, and what its cases may be about.
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
    """The cases of these concerns, the oldest first of each; concerns without any are there, and empty.

    `reader` reads no reports of others about themselves, nor what is not theirs to handle.
    """
    found: dict[DeskTopic, list[DeskCase]] = {concern: [] for concern in DeskTopic if concern in concerns}
    for source, about in SOURCES.items():
        if set(about) & set(found):
            for case in sorted(source(now, reader), key=lambda case: case.since):
                found.setdefault(case.concern, []).append(case)
    return {concern: cases for concern, cases in found.items() if concern in concerns}
