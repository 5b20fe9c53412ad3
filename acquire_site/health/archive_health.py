"""The archive of PostgreSQL's write-ahead log, where the operator keeps one."""

from collections.abc import Iterator
from datetime import datetime

from django.db import connection

from games.moderation.site_health import HealthProblem, ago


def health_problems(now: datetime) -> Iterator[HealthProblem]:
    """Yield a problem if the latest part of the log could not be archived."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT last_failed_wal, last_failed_time, failed_count FROM pg_stat_archiver"
            " WHERE current_setting('archive_mode') <> 'off'"
            " AND last_failed_time > coalesce(last_archived_time, '-infinity')"
        )
        failed = cursor.fetchone()
    if failed is not None:
        wal, at, times = failed
        yield HealthProblem(
            "archive",
            f"PostgreSQL could not archive its write-ahead log: {wal} failed {ago(now, at)}, {times} failures"
            " so far. The log fills the disk until this is fixed. PostgreSQL’s own log says why:"
            " tail /var/log/postgresql/*.log",
        )
