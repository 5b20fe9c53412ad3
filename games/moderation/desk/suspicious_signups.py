"""Cases of new accounts that one person or a program seems to have made."""

from datetime import datetime

from accounts.models import User
from accounts.moderation.suspicious_signups import suspicious_groups
from games.moderation.desk.desk_case import DeskCase, DeskTopic


def suspicious(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each suspicious group, with a link to its latest member, whose page names the others."""
    return [
        DeskCase(DeskTopic.SIGN_UP, group.sentence, group.since, "accounts.user", key=next(iter(group.names)))
        for group in suspicious_groups(now)
    ]
