"""Judge by which clock turns end: a round of the sweeper with a wrong clock must move no deadline.

The sweeper trusts its clock if it agrees with the database's, has not jumped against the steady clock of the
machine, and is not behind the last heartbeat. While it does not, its doubt is stored: `doctor` tells it, and
the first round after it gives players back what they may have lost.
"""

import logging
from datetime import datetime, timedelta

from django.utils import timezone

from games.clocks import machine_clock
from games.clocks.machine_clock import Reading
from games.models import Heartbeat

logger = logging.getLogger(__name__)

TOLERANCE = timedelta(seconds=60)

# A clock that has jumped and then ran evenly for this long counts as put right. A leap of more than a day
# waits for a person.
SETTLED_SECONDS = 3600.0
MAX_SETTLED_JUMP = timedelta(days=1)

# The time for which an operator's word that the clock is right counts.
ACCEPTED_FOR = timedelta(minutes=2)

# Heartbeats beside that of the sweeper: its doubt, with the time from which clocks are restored when it
# ends, and the word of a person.
DOUBT_MARK = "clock in doubt"
ACCEPTED_MARK = "clock accepted"


class ClockWatch:
    """The judgement of one process on its clock, from round to round."""

    def __init__(self) -> None:
        self.trusted: Reading | None = None
        # The first reading after the last jump.
        self._settling: Reading | None = None

    def find_fault(
        self, reading: Reading, offset: timedelta | None, beat: Heartbeat | None, *, is_accepted: bool = False
    ) -> tuple[str, timedelta]:
        """Return what is wrong with the clock, or "", and how far it has jumped."""
        if self.trusted is None:
            self.trusted = _stored_reading(beat, reading)
        jump = reading.jump_since(self.trusted) if self.trusted else timedelta()
        what = f"it jumped {_length(jump)} {'ahead' if jump > timedelta() else 'back'}"
        if abs(jump) <= TOLERANCE and beat is not None and beat.at - reading.wall > TOLERANCE:
            jump = reading.wall - beat.at
            what = f"it is {_length(jump)} behind the last heartbeat"
        if offset is not None and abs(offset) > TOLERANCE:
            return f"it is {_length(offset)} {_direction(offset)} the database’s", jump
        if abs(jump) <= TOLERANCE or is_accepted or self._has_settled(reading, jump):
            self.trusted, self._settling = reading, None
            return "", jump
        return what, jump

    def _has_settled(self, reading: Reading, jump: timedelta) -> bool:
        if self._settling is None or abs(reading.jump_since(self._settling)) > TOLERANCE:
            self._settling = reading
        for_seconds = reading.steady - self._settling.steady
        return abs(jump) <= MAX_SETTLED_JUMP and for_seconds >= SETTLED_SECONDS


_watch = ClockWatch()


def find_fault(beat: Heartbeat | None) -> str:
    """Return what is wrong with this machine's clock in this round, or ""; store the doubt.

    `beat` is the last heartbeat that was written by a trusted clock.
    """
    reading = machine_clock.read()
    fault, jump = _watch.find_fault(
        reading, machine_clock.database_offset(), beat, is_accepted=_is_accepted(reading.wall)
    )
    if fault:
        _store_doubt(fault, _lost_since(reading.wall, jump, beat))
    elif Heartbeat.objects.filter(name=DOUBT_MARK).exclude(detail="").update(detail=""):
        logger.warning("The clock of the sweeper’s machine is right again")
    return fault


def current_doubt() -> str:
    """The fault that the sweeper finds in its clock, or ""."""
    return Heartbeat.objects.filter(name=DOUBT_MARK).values_list("detail", flat=True).first() or ""


def end_doubt() -> datetime | None:
    """The time from which players may have lost time by a wrong clock, if that has just ended; told once."""
    found = Heartbeat.objects.filter(name=DOUBT_MARK).first()
    if found is None:
        return None
    found.delete()
    return found.at


def accept() -> None:
    """Take a person's word that this machine's clock, as it is now, is right."""
    Heartbeat.objects.update_or_create(name=ACCEPTED_MARK, defaults={"at": timezone.now()})


def _is_accepted(now: datetime) -> bool:
    accepted = Heartbeat.objects.filter(name=ACCEPTED_MARK).values_list("at", flat=True).first()
    return accepted is not None and abs(now - accepted) <= ACCEPTED_FOR


def _store_doubt(fault: str, since: datetime) -> None:
    mark, is_new = Heartbeat.objects.get_or_create(name=DOUBT_MARK, defaults={"at": since, "detail": fault})
    if is_new or not mark.detail:
        logger.error("The clock of the sweeper’s machine cannot be trusted: %s. No turn ends by it", fault)
    if not is_new:
        Heartbeat.objects.filter(name=DOUBT_MARK).update(at=min(mark.at, since), detail=fault)


def _lost_since(now: datetime, jump: timedelta, beat: Heartbeat | None) -> datetime:
    """The earliest time that the clock can have shown since the last heartbeat."""
    if beat is None:
        return now
    return min(now, beat.at, beat.at + jump)


def _stored_reading(beat: Heartbeat | None, reading: Reading) -> Reading | None:
    """The clock that the last sweeper trusted, if this machine has not been restarted since."""
    if beat is None or beat.steady_seconds is None or not beat.boot or beat.boot != machine_clock.boot():
        return None
    if beat.steady_seconds > reading.steady:
        return None
    return Reading(beat.at, beat.steady_seconds)


def _length(time: timedelta) -> str:
    return f"{abs(time).total_seconds():.0f} s"


def _direction(offset: timedelta) -> str:
    return "ahead of" if offset > timedelta() else "behind"
