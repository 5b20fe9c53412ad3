"""What needs somebody now. Nothing here tells of a hand, a bag or a seed.

Each source asks the database once, through an index, so the desk costs the same however many games there are.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Final

from accounts.models import User

from .case import MOST, Case, Concern
from .games import in_need
from .mail import undelivered
from .reports import open_reports
from .sanctions import sanctioned
from .signups import suspicious

__all__ = ["MOST", "Case", "Concern", "desk"]

Source = Callable[[datetime, User], list[Case]]

# Each source, and what its cases may be about.
SOURCES: Final[dict[Source, tuple[Concern, ...]]] = {
    in_need: (Concern.STUCK, Concern.FAILED, Concern.OVERDUE, Concern.HELD),
    sanctioned: (Concern.SEAT, Concern.APPEAL),
    open_reports: (Concern.REPORT,),
    suspicious: (Concern.SIGN_UP,),
    undelivered: (Concern.UNSENT,),
}


def desk(
    now: datetime, reader: User, concerns: Collection[Concern] = tuple(Concern)
) -> dict[Concern, list[Case]]:
    """The cases of these concerns, the oldest first of each; concerns without any are there, and empty.

    `reader` reads no reports of others about themselves, nor what is not theirs to handle.
    """
    found: dict[Concern, list[Case]] = {concern: [] for concern in Concern if concern in concerns}
    for source, about in SOURCES.items():
        if set(about) & set(found):
            for case in sorted(source(now, reader), key=lambda case: case.since):
                found.setdefault(case.concern, []).append(case)
    return {concern: cases for concern, cases in found.items() if concern in concerns}
