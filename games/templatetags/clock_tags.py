"""Short texts of times."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()

MINUTE, HOUR, DAY = 60, 3600, 86400

# A clock that starts shows all its time, although a moment has passed since.
MOMENTS = {DAY: 5 * MINUTE, HOUR: 5 * MINUTE, MINUTE: 5}


@register.filter
def left(deadline: datetime) -> str:
    """The time left until the deadline, in its largest unit: "2 days left"."""
    seconds = (deadline - timezone.now()).total_seconds()
    if seconds < MINUTE:
        return _("time is up") if seconds <= 0 else _("less than a minute left")
    days, hours, minutes = (int((seconds + MOMENTS[unit]) // unit) for unit in (DAY, HOUR, MINUTE))
    if days >= 2:
        return ngettext("{n} day left", "{n} days left", days).format(n=days)
    if hours >= 2:
        return ngettext("{n} hour left", "{n} hours left", hours).format(n=hours)
    return ngettext("{n} minute left", "{n} minutes left", minutes).format(n=minutes)
