"""Short texts of times."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()

MINUTE, HOUR, DAY = 60, 3600, 86400


@register.filter
def left(deadline: datetime) -> str:
    """The time left until the deadline, in its largest unit: "2 days left"."""
    seconds = (deadline - timezone.now()).total_seconds()
    if seconds < MINUTE:
        return _("no time left") if seconds <= 0 else _("less than a minute left")
    if seconds >= 2 * DAY:
        return ngettext("{n} day left", "{n} days left", int(seconds // DAY)).format(n=int(seconds // DAY))
    if seconds >= 2 * HOUR:
        return ngettext("{n} hour left", "{n} hours left", int(seconds // HOUR)).format(
            n=int(seconds // HOUR)
        )
    minutes = int(seconds // MINUTE)
    return ngettext("{n} minute left", "{n} minutes left", minutes).format(n=minutes)
