"""Watch for requests that get no connection to the database because their process has all in use."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import connection

from games.models import Heartbeat

# Name of the heartbeat that records when a process last had too few connections, and which process.
MARK = "pool used up"


def stats() -> Mapping[str, int]:
    """The counts of this process's pool so far; empty without a pool."""
    pool = getattr(connection, "pool", None) if connection.vendor == "postgresql" else None
    return {} if pool is None else pool.get_stats()


class PoolWatch:
    """Compares the counts of this process's pool from time to time."""

    def __init__(self, read: Callable[[], Mapping[str, int]] = stats) -> None:
        self._read = read
        self._before: Mapping[str, int] = {}

    def record(self, now: datetime, process: str) -> None:
        """Record for doctor if requests since the last call got no connection because all were in use."""
        found = self._read()
        lacking = self._more(found, "requests_errors")
        # While the database is away requests get no connection, either, and more of them would not help.
        if lacking and not self._more(found, "connections_errors"):
            detail = f"{lacking} of the {process}"[:200]
            Heartbeat.objects.update_or_create(name=MARK, defaults={"at": now, "detail": detail})
        self._before = found

    def _more(self, found: Mapping[str, int], name: str) -> int:
        now, before = found.get(name, 0), self._before.get(name, 0)
        # A pool that was made anew, as after an outage, counts from zero.
        return now - before if now >= before else now
