"""What members answer to a sanction, on the desk until somebody replies."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Appeal, User

from .case import MOST, Case, Concern


def open_appeals(now: datetime, reader: User) -> list[Case]:
    """A case for each answer that nobody has replied to; it leads to the page of the member."""
    waiting = Appeal.objects.filter(replied=None).order_by("made")
    rows = waiting.values_list("made", "sanction__member", "sanction__member__username")
    sentence = _("{name} answers to what stands against them.")
    return [
        Case(Concern.APPEAL, sentence.format(name=name), made, "accounts.user", key)
        for made, key, name in rows[:MOST]
    ]
