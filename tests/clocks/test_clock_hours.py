"""Clock hours: all hours, or without nights and weekends of a time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks import clock_hours
from games.clocks.clock_hours import ClockHours, counted_time, deadline, instant_with_left

BERLIN, NEW_YORK, LORD_HOWE = (
    ZoneInfo("Europe/Berlin"),
    ZoneInfo("America/New_York"),
    ZoneInfo("Australia/Lord_Howe"),
)
# Zones with odd days: half-hour steps, missing midnights, and days of 23 to 25 hours.
ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/Havana", "Asia/Beirut", "Pacific/Apia")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

instants = st.datetimes(datetime(2019, 1, 1), datetime(2031, 1, 1), timezones=st.just(UTC))
times = st.timedeltas(timedelta(), timedelta(days=40))
hours_kept = st.builds(ClockHours, st.sampled_from([*ZONES, LORD_HOWE]), st.booleans(), st.booleans())


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


# -- Examples ------------------------------------------------------------------------------------------


def test_clock_without_pauses_counts_every_second() -> None:
    assert deadline(at("2026-03-28 12:00"), DAY, ClockHours(BERLIN)) == at(
        "2026-03-29 13:00"
    )  # a short night
    assert counted_time(at("2026-03-28 12:00"), at("2026-03-29 12:00"), ClockHours(BERLIN)) == 23 * HOUR


def test_nights_do_not_count() -> None:
    nights = ClockHours(BERLIN, nights=True)
    assert counted_time(at("2026-05-04 22:00"), at("2026-05-05 08:00"), nights) == 2 * HOUR
    assert deadline(at("2026-05-04 22:00"), 2 * HOUR, nights) == at("2026-05-05 08:00")
    assert deadline(at("2026-05-05 03:00"), HOUR, nights) == at("2026-05-05 08:00")


def test_weekends_do_not_count() -> None:
    weekends = ClockHours(BERLIN, weekends=True)
    assert deadline(at("2026-05-08 20:00"), DAY, weekends) == at("2026-05-11 20:00")  # Friday to Monday
    assert counted_time(at("2026-05-09 00:00"), at("2026-05-11 00:00"), weekends) == timedelta()


def test_nights_and_weekends_do_not_count() -> None:
    both = ClockHours(BERLIN, nights=True, weekends=True)
    assert deadline(at("2026-05-08 22:30"), HOUR, both) == at("2026-05-11 07:30")


def test_night_is_that_of_time_zone() -> None:
    start = at("2026-05-04 22:00")  # 16:00 in New York
    assert deadline(start, 2 * HOUR, ClockHours(NEW_YORK, nights=True)) == at("2026-05-04 18:00", NEW_YORK)


def test_night_of_clock_change_does_not_count() -> None:
    nights = ClockHours(BERLIN, nights=True)
    for evening, morning in (("2026-03-28", "2026-03-29"), ("2026-10-24", "2026-10-25")):
        assert deadline(at(f"{evening} 22:00"), 2 * HOUR, nights) == at(f"{morning} 08:00")


def test_weekend_of_clock_change_does_not_count() -> None:
    weekends = ClockHours(BERLIN, weekends=True)
    assert deadline(at("2026-10-23 23:00"), 2 * HOUR, weekends) == at("2026-10-26 01:00")


def test_deadline_without_time_left_is_now() -> None:
    night = at("2026-05-05 03:00")
    assert deadline(night, timedelta(), ClockHours(BERLIN, nights=True)) == night
    assert deadline(night, -HOUR, ClockHours(BERLIN)) == night


# -- Properties ----------------------------------------------------------------------------------------


@given(instants, times, hours_kept)
def test_time_until_deadline_is_time_given(start: datetime, left: timedelta, hours: ClockHours) -> None:
    assert counted_time(start, deadline(start, left, hours), hours) == left


@given(instants, times.filter(bool), hours_kept)
def test_time_before_deadline_is_less_than_time_given(
    start: datetime, left: timedelta, hours: ClockHours
) -> None:
    end = deadline(start, left, hours)
    assert counted_time(start, end - timedelta(microseconds=1), hours) < left
    assert end >= start + left


@given(instants, times, times, hours_kept)
def test_stopping_clock_neither_gains_nor_loses_time(
    start: datetime, left: timedelta, later: timedelta, hours: ClockHours
) -> None:
    end, now = deadline(start, left, hours), start + later
    assert deadline(now, counted_time(now, end, hours), hours) == max(now, end)
    if now <= end:
        assert counted_time(start, now, hours) + counted_time(now, end, hours) == left


@given(instants, times, times, times, hours_kept)
def test_pause_moves_deadline(
    start: datetime, left: timedelta, later: timedelta, pause: timedelta, hours: ClockHours
) -> None:
    stopped = start + later
    rest = counted_time(stopped, deadline(start, left, hours), hours)
    goes_on = deadline(stopped + pause, rest, hours)
    assert counted_time(stopped + pause, goes_on, hours) == rest
    if rest:
        assert goes_on >= deadline(start, left, hours)


@given(instants, times, hours_kept)
def test_instant_with_left_reverses_deadline(end: datetime, left: timedelta, hours: ClockHours) -> None:
    start = instant_with_left(end, left, hours)
    assert counted_time(start, end, hours) == left
    assert start <= end - left


@given(instants, times, times, hours_kept)
def test_counted_times_add_up(start: datetime, one: timedelta, other: timedelta, hours: ClockHours) -> None:
    middle, end = start + one, start + one + other
    assert counted_time(start, middle, hours) + counted_time(middle, end, hours) == counted_time(
        start, end, hours
    )


def test_counted_nights_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage twin: nights end when they begin."""
    monkeypatch.setattr(clock_hours, "NIGHT_BEGINS", clock_hours.NIGHT_ENDS.replace(hour=23, minute=59))
    with pytest.raises(AssertionError):
        test_nights_do_not_count()
