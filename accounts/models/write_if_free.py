"""Writes that may be left out, so that nobody who only looks at a page waits for somebody who writes."""

from collections.abc import Callable
from typing import Any

from django.db import OperationalError, connection

# Messages of SQLite when another connection holds the lock.
_LOCKED = "is locked"


def write_if_free(write: Callable[[], Any]) -> bool:
    """Do the write and return True, unless another connection is writing to SQLite: return False then.

    SQLite has a single lock for all writers, and whoever wants it waits. In a transaction it is ours already.
    PostgreSQL locks rows, so nothing is left out there.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        write()
        return True
    connection.ensure_connection()
    # Straight to the driver: this is no query of the page.
    patience = connection.connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.connection.execute("PRAGMA busy_timeout = 0")
    try:
        write()
    except OperationalError as error:
        if _LOCKED not in str(error):
            raise
        return False
    finally:
        connection.connection.execute(f"PRAGMA busy_timeout = {patience}")
    return True
