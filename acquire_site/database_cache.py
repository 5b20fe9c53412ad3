"""The cache in the database."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router


class ReadOnlyReadsCache(DatabaseCache):
    """Django's cache in the database, but reading an expired entry does not delete it.

    A page that only reads must not wait for another process that writes, as it would on SQLite. Expired
    entries go when they are set again, when the table is full, and by `delete_expired`. Both methods that
    Django does not document are tried by tests/safety/test_readers_beside_writer.py and
    tests/accounts/test_cleanup.py.
    """

    _is_read = False

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        self._is_read = True
        try:
            return super().get_many(keys, version)
        finally:
            self._is_read = False

    def _base_delete_many(self, keys: Iterable[str]) -> bool:
        return False if self._is_read else super()._base_delete_many(keys)  # type: ignore[misc]

    def delete_expired(self, now: datetime) -> int:
        """Delete the entries that have expired at `now` and return how many."""
        database = router.db_for_write(self.cache_model_class)
        with connections[database].cursor() as cursor:
            # With no entries to count, only the expired ones are too many.
            self._cull(database, cursor, now, 0)  # type: ignore[attr-defined]
            return int(cursor.rowcount)
