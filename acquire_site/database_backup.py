"""Backups of the database, made while the site is running, and their restoration.

SQLite copies itself. For PostgreSQL this uses pg_dump and pg_restore, which must be as new as the server. A
backup holds every hand and every password hash, so only its owner may read it.
"""

import contextlib
import os
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.client import DatabaseClient

from games.models import Game
from games.moderation import integrity_check

_SQLITE_HEAD = b"SQLite format 3\0"


class BackupError(Exception):
    """A backup could not be made or restored; its message is a sentence."""


@dataclass
class Verdict:
    """Result of replaying every game of a database."""

    games: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)


def suffix() -> str:
    """The file name suffix of backups of this site's database."""
    return ".sqlite3" if _is_sqlite() else ".dump"


def make(path: Path) -> None:
    """Back up the database to this file; an incomplete file is never left behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    try:
        if _is_sqlite():
            _copy_sqlite(_name(), draft)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft}")
        with draft.open("rb") as made:
            os.fsync(made.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def restore(path: Path, alias: str = DEFAULT_DB_ALIAS) -> None:
    """Replace the database of this alias with the backup and apply newer migrations."""
    _check_file(path)
    if _is_sqlite():
        connections[alias].close()
        _copy_sqlite(path, Path(_name(alias)))
    else:
        _drop_tables(alias)
        options = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction"]
        _run("pg_restore", *options, str(path), alias=alias, name_by_option=True)
    call_command("migrate", database=alias, verbosity=0)


@contextlib.contextmanager
def temporary_copy(path: Path) -> Iterator[str]:
    """Restore the backup to a temporary database and yield its alias."""
    _check_file(path)
    alias = f"aside-{token_hex(4)}"
    with _empty_database(path, alias) as name:
        ours = connections[DEFAULT_DB_ALIAS].settings_dict
        options = {key: value for key, value in ours["OPTIONS"].items() if key != "pool"}
        connections.databases[alias] = {**ours, "NAME": name, "OPTIONS": options}
        try:
            restore(path, alias)
            yield alias
        finally:
            connections[alias].close()
            del connections[alias]
            del connections.databases[alias]


def verify(alias: str = DEFAULT_DB_ALIAS) -> Verdict:
    """Replay every game of the database of this alias and compare it with what is stored."""
    verdict = Verdict()
    dealt = Game.all_games.using(alias).defer(None).filter(seed__isnull=False).order_by("pk")
    for game in dealt.iterator(chunk_size=50):
        verdict.games += 1
        verdict.entries += game.version
        verdict.faults += [f"Game {game}: {fault}." for fault in integrity_check.faults(game)]
    return verdict


def _is_sqlite() -> bool:
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def _name(alias: str = DEFAULT_DB_ALIAS) -> str:
    return str(connections[alias].settings_dict["NAME"])


def _check_file(path: Path) -> None:
    """Raise BackupError for a file that is not a backup of this kind of database."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE_HEAD))
    except OSError as error:
        raise BackupError(f"The copy cannot be read: {error}") from error
    of_sqlite = head == _SQLITE_HEAD
    if not of_sqlite and not head.startswith(b"PGDMP"):
        raise BackupError(f"{path} is no copy that manage.py backup has made.")
    if of_sqlite != _is_sqlite():
        raise BackupError(f"{path} is a copy of another kind of database than DATABASE_URL names.")


def _copy_sqlite(source: Path | str, target: Path | str) -> None:
    """Copy one file into the other while others may use both."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=20)) as read,
            contextlib.closing(sqlite3.connect(target, timeout=20)) as written,
        ):
            read.backup(written)
            [trouble] = written.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"SQLite cannot copy {source}: {error}") from error
    if trouble != "ok":
        raise BackupError(f"The copy of {source} is damaged: {trouble}")


@contextlib.contextmanager
def _empty_database(path: Path, alias: str) -> Iterator[str]:
    """Make a temporary database and yield its name."""
    name = alias.replace("-", "_")
    if _is_sqlite():
        file = path.with_name(f".{path.name}.{name}")
        try:
            yield str(file)
        finally:
            for end in ("", "-wal", "-shm"):
                Path(f"{file}{end}").unlink(missing_ok=True)
        return
    _run("createdb", "--template=template0", name=name)
    try:
        yield name
    finally:
        _run("dropdb", "--if-exists", "--force", name=name)


def _drop_tables(alias: str) -> None:
    """Drop all tables, including those that a backup from an older migration lacks."""
    connection = connections[alias]
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if tables:
            names = ", ".join(map(connection.ops.quote_name, tables))
            cursor.execute(f"DROP TABLE {names} CASCADE")
    connection.close()


def _run(
    program: str, *options: str, alias: str = DEFAULT_DB_ALIAS, name: str = "", name_by_option: bool = False
) -> None:
    """Run a PostgreSQL program on the database of this alias, or on the one with this name."""
    known: Mapping[str, Any] = connections[alias].settings_dict
    known = {**known, "NAME": name or known["NAME"], "OPTIONS": {}}
    (_, *where, database), env = DatabaseClient.settings_to_cmd_args_env(dict(known), [])
    at_end = [f"--dbname={database}"] if name_by_option else [database]
    try:
        done = subprocess.run(
            [program, *where, *at_end, *options],
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"There is no {program}; it comes with PostgreSQL (on Debian: apt install postgresql-client)."
        ) from error
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip() or done.returncode}")
