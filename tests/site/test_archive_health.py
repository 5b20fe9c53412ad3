"""The doctor sees a write-ahead log that PostgreSQL cannot archive."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from acquire_site.health import archive_health

pytestmark = pytest.mark.django_db


class FakeCursor:
    """A cursor whose only row is what PostgreSQL says about its archive."""

    def __init__(self, row: tuple[Any, ...] | None) -> None:
        self._row = row

    def __enter__(self) -> "FakeCursor":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, query: str) -> None:
        assert "pg_stat_archiver" in query

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._row


def told(monkeypatch: pytest.MonkeyPatch, row: tuple[Any, ...] | None) -> Iterator[str]:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(connection, "cursor", lambda: FakeCursor(row))
    return (f"{found.name}: {found.sentence}" for found in archive_health.health_problems(timezone.now()))


def test_log_that_could_not_be_archived_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ("000000010000000000000007", timezone.now() - timedelta(minutes=5), 12)
    [sentence] = told(monkeypatch, row)
    assert sentence.startswith(
        "archive: PostgreSQL could not archive its write-ahead log: 000000010000000000000007 failed 5 minutes"
        " ago, 12 failures so far."
    )
    assert sentence.endswith("PostgreSQL’s own log says why: tail /var/log/postgresql/*.log")


def test_archive_that_follows_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(told(monkeypatch, None)) == []


def test_database_without_an_archive_is_no_problem() -> None:
    assert list(archive_health.health_problems(timezone.now())) == []
