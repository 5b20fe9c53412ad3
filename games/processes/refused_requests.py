"""Requests that this process has refused because too many came at once."""

import threading
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.clocks import overload


class RefusedRequests:
    """The times of the first and the last request refused in the current overload.

    Any thread may `note` one, which sets the event `noted`.
    """

    def __init__(self) -> None:
        self.noted = threading.Event()
        self._lock = threading.Lock()
        self._since: datetime | None = None
        self._last: datetime | None = None

    def note(self) -> None:
        with self._lock:
            now = timezone.now()
            if self._last is None or now - self._last > overload.QUIET:
                self._since = now
            self._last = now
        self.noted.set()

    def columns(self, offset: timedelta) -> dict[str, Any]:
        """The columns of the sign of life, by the database's clock."""
        with self._lock:
            if self._since is None or self._last is None:
                return {}
            return {"refusing_since": self._since - offset, "refused_at": self._last - offset}


of_this_process = RefusedRequests()
