"""Databases beside the live one: for a moment, to look into a backup, or kept by a restore."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from acquire_site.backup import backup_file
from acquire_site.backup.postgres_schemas import PostgresSchemas
from acquire_site.backup.sqlite_files import SqliteFiles


class Databases(Protocol):
    """The live database and those beside it, each with a name."""

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Keep other restores out, and remove what a killed one has left."""

    def fill(self, path: Path, name: str) -> None:
        """Restore the backup to a new database of this name."""

    def connection_settings(self, name: str) -> dict[str, Any]:
        """The settings of a connection to this database that differ from the live one's."""

    def swap(self, name: str, kept: str) -> bool:
        """Make the named database the live one, and keep the live one as `kept`; return whether it was kept.

        If this process is killed, either the old or the new database is the live one.
        """

    def remove(self, name: str) -> None:
        """Remove the database of this name."""

    def kept(self) -> list[str]:
        """The names of the databases that restores have kept, the oldest first."""


def databases() -> Databases:
    return SqliteFiles() if backup_file.is_sqlite() else PostgresSchemas()


@contextlib.contextmanager
def filled_aside(beside: Databases, path: Path) -> Iterator[str]:
    """Restore the backup to a database of its own and yield its name, which is also its alias.

    The database is removed at the end, unless a swap has made it the live one. What cannot be removed now is
    removed by the next restore.
    """
    backup_file.check_kind(path)
    name = f"aside_{token_hex(4)}"
    try:
        beside.fill(path, name)
        with connected(beside, name):
            yield name
    finally:
        with contextlib.suppress(DatabaseError, OSError):
            beside.remove(name)


@contextlib.contextmanager
def connected(beside: Databases, name: str) -> Iterator[None]:
    """Let the models reach the database of this name by an alias of the same name."""
    ours = connections[DEFAULT_DB_ALIAS].settings_dict
    connections.databases[name] = {**ours, **beside.connection_settings(name)}
    try:
        yield
    finally:
        connections[name].close()
        del connections[name]
        del connections.databases[name]
