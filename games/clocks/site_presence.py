"""Presence of the site for live games, whose clocks stand still as soon as it is away.

The web processes and the loop of live deadlines each leave a heartbeat while live games run, or members wait
for one. They tell up to when the site was surely there, and since when without a break.
"""

from datetime import datetime, timedelta

from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now
from django.utils import timezone

from games.models import Heartbeat

# The heartbeat of the web processes, by the clock of the database. It exists while live games run.
WEB_MARK = "live web"
# The heartbeat of the loop, by the clock of its machine: the site was surely there up to then, and since the
# time in its detail.
SEEN_MARK = "live"

# Seconds from one sign of a web process to the next.
WEB_SIGN_SECONDS = 0.5

# The site counts as away from its last heartbeat on if no other follows in this time.
AWAY_AFTER = timedelta(seconds=2)


def show_web() -> None:
    """Show that a web process serves; does nothing while no live game runs."""
    Heartbeat.objects.filter(name=WEB_MARK).update(at=Now())


def web_silence() -> timedelta:
    """The time since a web process has shown that it serves; counts from the first call."""
    silence = ExpressionWrapper(Now() - F("at"), output_field=DurationField())
    found = Heartbeat.objects.filter(name=WEB_MARK).annotate(silence=silence)
    known = found.values_list("silence", flat=True).first()
    if known is None:
        Heartbeat.objects.bulk_create([Heartbeat(name=WEB_MARK, at=Now())], ignore_conflicts=True)
        return timedelta()
    return max(known, timedelta())


def forget() -> None:
    """Forget the heartbeats, because no live game runs any more."""
    Heartbeat.objects.filter(name__in=[WEB_MARK, SEEN_MARK]).delete()


def there_since() -> datetime | None:
    """The time since which the site has been there without a break; None if that is not known."""
    found = Heartbeat.objects.filter(name=SEEN_MARK).values_list("detail", flat=True).first()
    return datetime.fromisoformat(found) if found else None


def was_there(since: datetime, now: datetime) -> bool:
    """Return whether the site has been there without a break since then, as far as that is known."""
    found = Heartbeat.objects.filter(name=SEEN_MARK).values_list("at", "detail").first()
    if found is None or not found[1]:
        return False
    seen, there_since = found[0], datetime.fromisoformat(found[1])
    return there_since <= since and now - seen <= AWAY_AFTER


def begin_anew() -> None:
    """Let the site count as there from now on, because open pages lose their sockets; clocks run on."""
    now, began = timezone.now(), there_since()
    # Every page of a web process tells of its end.
    if began is not None and now - began > AWAY_AFTER:
        Heartbeat.objects.filter(name=SEEN_MARK).update(detail=now.isoformat())


def clock_time(asked_at: datetime) -> datetime:
    """The time that the clock of a live game shows now.

    While the site is away that is when it was last there or when the player was asked, whichever is later.
    """
    now = timezone.now()
    seen = Heartbeat.objects.filter(name=SEEN_MARK).values_list("at", flat=True).first()
    if seen is None or now - seen <= AWAY_AFTER:
        return now
    return min(now, max(seen, asked_at))
