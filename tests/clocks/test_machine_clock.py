"""The clock of this machine beside that of the database."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from games.clocks import machine_clock
from games.clocks.machine_clock import Reading

# The tests as a whole put these two aside.
database_offset, steady = machine_clock.database_offset, machine_clock.steady

NOON = datetime(2026, 5, 6, 12, tzinfo=timezone.get_current_timezone())

needs_postgres = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="SQLite has the clock of the process that asks it"
)


def test_a_reading_tells_how_far_the_wall_clock_jumped() -> None:
    before = Reading(NOON, 100.0)
    assert Reading(NOON + timedelta(seconds=10), 110.0).jump_since(before) == timedelta()
    assert Reading(NOON + timedelta(hours=1), 110.0).jump_since(before) == timedelta(seconds=3590)
    assert Reading(NOON - timedelta(hours=1), 100.0).jump_since(before) == -timedelta(hours=1)


def test_the_steady_clock_does_not_notice_when_the_wall_clock_is_set() -> None:
    before = steady()
    with time_machine.travel(NOON + timedelta(days=1000)):
        assert 0 <= steady() - before < 60


@needs_postgres
@pytest.mark.django_db
def test_the_clock_of_the_database_is_compared_with_this_machines() -> None:
    offset = database_offset()
    assert offset is not None
    assert abs(offset) < timedelta(seconds=60)
    for hours in (2, -2):
        with time_machine.travel(timezone.now() + timedelta(hours=hours)):
            offset = database_offset()
        assert offset is not None
        assert abs(offset - timedelta(hours=hours)) < timedelta(seconds=60)


@pytest.mark.django_db
def test_sqlite_has_no_clock_of_its_own() -> None:
    if connection.vendor == "sqlite":
        assert database_offset() is None


def test_a_slow_answer_of_the_database_is_no_wrong_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what lies outside the time of the query counts."""
    with time_machine.travel(NOON, tick=False) as traveller:

        class Cursor:
            def __enter__(self) -> "Cursor":
                return self

            def __exit__(self, *error: object) -> None:
                return None

            def execute(self, query: str) -> None:
                traveller.shift(timedelta(minutes=5))

            def fetchone(self) -> list[datetime]:
                return [NOON + timedelta(minutes=2)]

        class Connection:
            vendor = "postgresql"
            cursor = Cursor

        monkeypatch.setattr(machine_clock, "connection", Connection)
        assert database_offset() == timedelta()
