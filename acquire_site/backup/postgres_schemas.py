"""A PostgreSQL database: restoring a backup to a schema of its own, and swapping that with the live one.

A second schema needs no right to create databases, and a swap is one transaction in one database.
"""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections, transaction
from django.db.backends.utils import CursorWrapper

from acquire_site.backup import postgres_programs
from acquire_site.backup.backup_error import IN_USE, OTHER_RESTORE, BackupError

# Any number that nothing else in this database locks.
_LOCK = 0x61637175697265

# The site's own limits are for requests.
_LIMITS = "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = 0;"

# Indexes, and sequences that belong to a column, move with their table. Functions are those of triggers.
_MOVES = """
    SELECT format('ALTER TABLE %%s SET SCHEMA %%I', c.oid::regclass, %s::text)
    FROM pg_class c
    WHERE c.relnamespace = %s::regnamespace
      AND (c.relkind IN ('r', 'p', 'v', 'm', 'f') OR c.relkind = 'S' AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
      ))
    UNION ALL
    SELECT format('ALTER ROUTINE %%s SET SCHEMA %%I', p.oid::regprocedure, %s::text)
    FROM pg_proc p
    WHERE p.pronamespace = %s::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    )
"""


class PostgresSchemas:
    """Databases as schemas of the live database."""

    def __init__(self) -> None:
        self._live = postgres_programs.live_schema()

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other restores out, and remove what a killed one has left."""
        # A connection of its own, not one of the pool: that of the site is closed now and then.
        holder = connections[DEFAULT_DB_ALIAS].copy()
        holder.settings_dict = {**holder.settings_dict, "OPTIONS": _without_pool(holder.settings_dict)}
        try:
            with holder.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
                if not cursor.fetchone()[0]:
                    raise BackupError(OTHER_RESTORE)
            self._check_rights()
            for name in self._names(r"aside_[0-9a-f]+"):
                self.remove(name)
            yield
        finally:
            # PgBouncer would keep the lock with the connection.
            with contextlib.suppress(DatabaseError), holder.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock_all()")
            holder.close()

    def fill(self, path: Path, name: str) -> None:
        """Restore the backup to a new schema of this name.

        A dump names its schema everywhere, so the schema of that name is renamed during the transaction.
        Nobody else sees that, and nobody has to wait.
        """
        schema = postgres_programs.dumped_schema(path)
        out = f"{name}_out"
        is_taken = bool(self._names(re.escape(schema)))
        step_aside = _rename(schema, out) if is_taken else ""
        come_back = _rename(out, schema) if is_taken else ""
        postgres_programs.run_dump(
            path,
            schema,
            before=f"BEGIN; {step_aside} CREATE SCHEMA {_quoted(schema)};\n",
            after=f"{_rename(schema, name)} {come_back} COMMIT;\n",
        )

    def connection_settings(self, name: str) -> dict[str, Any]:
        """The settings of a connection to this schema that differ from the live database's."""
        options = _without_pool(connections[DEFAULT_DB_ALIAS].settings_dict)
        return {"OPTIONS": {**options, "options": f"-c search_path={name}"}}

    def remove(self, name: str) -> None:
        """Drop the schema with its contents."""
        with self._one_step() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {_quoted(name)} CASCADE")

    def swap(self, name: str, kept: str) -> bool:
        """Make the named schema the live one, and keep the live one as `kept`; return whether it was kept.

        The tables move, not the schema, so the rights on the live schema stay as they were. Waits for others
        that read or write at this moment.
        """
        with self._one_step() as cursor:
            cursor.execute(f"CREATE SCHEMA {_quoted(kept)}")
            was_kept = _move(cursor, self._live, kept)
            _move(cursor, name, self._live)
            # RESTRICT: whatever has not moved must not be lost.
            cursor.execute(f"DROP SCHEMA {_quoted(name)} RESTRICT")
            if not was_kept:
                cursor.execute(f"DROP SCHEMA {_quoted(kept)} RESTRICT")
        return was_kept

    def kept(self) -> list[str]:
        """The names of the schemas that restores have kept, the oldest first."""
        return self._names(r"before_\d{8}_\d{6}")

    def _names(self, pattern: str) -> list[str]:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute("SELECT nspname FROM pg_namespace ORDER BY nspname")
            return [name for (name,) in cursor.fetchall() if re.fullmatch(pattern, name)]

    @contextlib.contextmanager
    def _one_step(self) -> Iterator[CursorWrapper]:
        """A transaction that waits for others, but not for long."""
        connection = connections[DEFAULT_DB_ALIAS]
        try:
            with transaction.atomic(durable=True), connection.cursor() as cursor:
                cursor.execute(_LIMITS)
                yield cursor
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") in {"55P03", "40P01"}:
                raise BackupError(IN_USE) from error
            raise

    def _check_rights(self) -> None:
        """Raise BackupError if the database user may not add or rename schemas here."""
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(
                "SELECT current_user, current_database(),"
                " has_database_privilege(current_database(), 'CREATE'), pg_has_role(nspowner, 'USAGE')"
                " FROM pg_namespace WHERE nspname = %s",
                [self._live],
            )
            user, database, may_create, owns = cursor.fetchone()
        if not (may_create and owns):
            raise BackupError(
                f"The database user {user} may not add a schema to {database}. Let the administrator of"
                f" PostgreSQL run this in that database: ALTER DATABASE {_quoted(database)} OWNER TO"
                f" {_quoted(user)}; ALTER SCHEMA {_quoted(self._live)} OWNER TO {_quoted(user)};"
            )


def _move(cursor: CursorWrapper, source: str, target: str) -> bool:
    """Move all tables from one schema to the other; return whether there were any."""
    cursor.execute(_MOVES, 2 * [target, _quoted(source)])
    moves = [statement for (statement,) in cursor.fetchall()]
    for statement in moves:
        cursor.execute(statement)
    return bool(moves)


def _rename(schema: str, name: str) -> str:
    return f"ALTER SCHEMA {_quoted(schema)} RENAME TO {_quoted(name)};"


def _quoted(name: str) -> str:
    return str(connections[DEFAULT_DB_ALIAS].ops.quote_name(name))


def _without_pool(settings: dict[str, Any]) -> dict[str, Any]:
    """The options of a connection that is not taken from a pool."""
    return {key: value for key, value in settings["OPTIONS"].items() if key != "pool"}
