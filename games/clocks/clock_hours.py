"""Arithmetic of clocks that stand still at night or at weekends.

Nights and weekends are those in the time zone of the player to move. All functions are pure. Instants are
aware datetimes of any zone; results are in UTC.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

# The night for the terms of games.
NIGHT_BEGINS, NIGHT_ENDS = time(23), time(7)

_DAY = timedelta(days=1)
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class ClockHours:
    """The hours in which a clock runs: always, or not in the `nights` or on the `weekends` of a time zone."""

    zone: tzinfo = UTC
    nights: bool = False
    weekends: bool = False

    @property
    def always(self) -> bool:
        return not (self.nights or self.weekends)

    def of(self, day: date) -> tuple[datetime, datetime] | None:
        """The beginning and end of the clock's hours on a day of the zone; None for a day off."""
        if self.weekends and day.weekday() >= _SATURDAY:
            return None
        if self.nights:
            return self._instant(day, NIGHT_ENDS), self._instant(day, NIGHT_BEGINS)
        return self._instant(day, time()), self._instant(day + _DAY, time())

    def _instant(self, day: date, hour: time) -> datetime:
        return datetime.combine(day, hour, self.zone).astimezone(UTC)

    def since(self, start: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The spans in which the clock runs from `start` on, in order, endless."""
        day, cursor = start.astimezone(self.zone).date() - _DAY, start.astimezone(UTC)
        while True:
            if (span := self.of(day)) is not None and span[1] > cursor:
                begin = max(cursor, span[0])
                yield begin, span[1]
                # If a zone skips a day, calendar days overlap; nothing must be counted twice.
                cursor = span[1]
            day += _DAY

    def until(self, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The spans in which the clock runs up to `end`, the latest first, endless."""
        day, cursor = end.astimezone(self.zone).date() + _DAY, end.astimezone(UTC)
        while True:
            if (span := self.of(day)) is not None and span[0] < cursor:
                yield span[0], min(cursor, span[1])
                cursor = span[0]
            day -= _DAY


def counted_time(start: datetime, end: datetime, hours: ClockHours) -> timedelta:
    """The time between two instants that counts; zero when `end` is not after `start`."""
    if end <= start:
        return timedelta()
    if hours.always:
        return end.astimezone(UTC) - start.astimezone(UTC)
    total = timedelta()
    for begin, stop in hours.since(start):
        if begin >= end:
            return total
        total += min(stop, end) - begin
        if stop >= end:
            return total
    raise AssertionError("Days never end.")


def deadline(start: datetime, left: timedelta, hours: ClockHours) -> datetime:
    """The instant at which a clock started at `start` has counted down `left`."""
    start = start.astimezone(UTC)
    if hours.always or left <= timedelta():
        return start + max(left, timedelta())
    for begin, stop in hours.since(start):
        if stop - begin >= left:
            return begin + left
        left -= stop - begin
    raise AssertionError("Days never end.")


def instant_with_left(end: datetime, left: timedelta, hours: ClockHours) -> datetime:
    """The latest instant at which `left` remained of a clock that runs out at `end`."""
    end = end.astimezone(UTC)
    if hours.always or left <= timedelta():
        return end - max(left, timedelta())
    for begin, stop in hours.until(end):
        if stop - begin >= left:
            return stop - left
        left -= stop - begin
    raise AssertionError("Days never end.")
