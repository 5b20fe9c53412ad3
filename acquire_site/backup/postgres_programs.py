"""The programs of PostgreSQL: pg_dump, pg_restore and psql, which must be as new as the server."""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.client import DatabaseClient

from acquire_site.backup.backup_error import BackupError

_CHUNK = 1 << 20


def dump(path: Path) -> None:
    """Dump the schema that the site uses into a file in pg_dump's own format, and read the file whole."""
    schema = live_schema()
    options = ["--format=custom", "--no-owner", "--no-privileges", f'--schema="{schema}"', f"--file={path}"]
    _run(["pg_dump", *options, *_target()])
    _run(["pg_restore", f"--file={os.devnull}", str(path)])


def is_backup(path: Path) -> bool:
    """Return whether the file may be a dump of pg_dump, by its first bytes."""
    with path.open("rb") as file:
        return file.read(5) == b"PGDMP"


def live_schema() -> str:
    """The schema in which the site finds its tables.

    Raises BackupError behind PgBouncer: what the programs set for their session, the next one would inherit.
    """
    if settings.PGBOUNCER:
        raise BackupError(
            "Backups and restores do not go through PgBouncer. Name PostgreSQL itself: PGBOUNCER=0"
            " DATABASE_URL=postgres://…:5432/… before this command."
        )
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        [schema] = cursor.fetchone()
    if schema is None:
        raise BackupError("The database has no schema for tables. Create one: CREATE SCHEMA public.")
    return str(schema)


def dumped_schema(path: Path) -> str:
    """The schema that the tables of a dump were in."""
    contents = _run(["pg_restore", "--list", str(path)], f"{path} cannot be read whole")
    found = re.search(r"^\d+; \d+ \d+ TABLE (\S+) django_migrations ", contents, re.MULTILINE)
    if found is None:
        raise BackupError(f"{path} has no tables of this site. Name another backup.")
    return found[1]


def run_dump(path: Path, schema: str, *, before: str, after: str) -> None:
    """Run the SQL `before`, what a schema of the dump holds, and `after`, in one session of psql.

    `after` runs only if the dump could be read whole. If this process is killed, psql meets the end of its
    input there and ends the session.
    """
    options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    reading = ["pg_restore", "--no-owner", "--no-privileges", f"--schema={schema}", "--file=-", str(path)]
    writing = ["psql", *options, *_target()]
    with (
        tempfile.TemporaryFile() as read_faults,
        tempfile.TemporaryFile() as write_faults,
        _started(writing, stdin=subprocess.PIPE, stderr=write_faults) as writer,
        _started(reading, stdout=subprocess.PIPE, stderr=read_faults) as reader,
    ):
        assert writer.stdin is not None
        assert reader.stdout is not None
        # psql ends early at a fault of its own.
        with contextlib.suppress(BrokenPipeError):
            writer.stdin.write(before.encode())
            while chunk := reader.stdout.read(_CHUNK):
                writer.stdin.write(chunk)
            if reader.wait() == 0:
                writer.stdin.write(after.encode())
        with contextlib.suppress(BrokenPipeError):
            writer.stdin.close()
        reader.stdout.close()
        # A signal has ended pg_restore if psql did not take what it read.
        if reader.wait() <= 0 and writer.wait() != 0:
            raise BackupError(f"The database refuses the backup: {_said(write_faults)}")
        if reader.returncode != 0:
            raise BackupError(f"{path} cannot be read whole: {_said(read_faults)}. Try another backup.")


def _run(command: Sequence[str], failure: str = "") -> str:
    """Run a program to its end and return what it prints."""
    with (
        tempfile.TemporaryFile() as faults,
        _started(command, stdout=subprocess.PIPE, stderr=faults) as process,
    ):
        output, _ = process.communicate()
        if process.returncode:
            said = _said(faults) or f"exit code {process.returncode}"
            raise BackupError(f"{failure or f'{command[0]} failed'}: {said}")
        return str(output, "utf-8", "replace")


@contextlib.contextmanager
def _started(command: Sequence[str], **pipes: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program that does not outlive the block."""
    try:
        process = subprocess.Popen(command, env={**os.environ, **_environment()}, **pipes)
    except FileNotFoundError as error:
        raise BackupError(
            f"There is no {command[0]}; it comes with PostgreSQL (on Debian: apt install postgresql-client)."
        ) from error
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _said(faults: IO[bytes]) -> str:
    """The last lines that a program has written to this file."""
    faults.seek(0)
    lines = faults.read().decode("utf-8", "replace").strip().splitlines()
    return " ".join(line.strip() for line in lines[-4:])


def _client_settings() -> tuple[list[str], dict[str, str]]:
    known = connections[DEFAULT_DB_ALIAS].settings_dict
    (_, *target), environment = DatabaseClient.settings_to_cmd_args_env(dict(known), [])
    return target, environment or {}


def _target() -> list[str]:
    """The arguments that name user, host, port and database."""
    return _client_settings()[0]


def _environment() -> dict[str, str]:
    return _client_settings()[1]
