"""A SQLite database: backing it up, restoring a backup beside it, and swapping the two.

Backups are compressed, for gzip's checksum as well: SQLite does not notice a changed byte within a row.
"""

import contextlib
import fcntl
import gzip
import os
import re
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from acquire_site.backup.backup_error import IN_USE, OTHER_RESTORE, BackupError
from acquire_site.backup.disk import flush_to_disk

_GZIP = b"\x1f\x8b"
_PLAIN = b"SQLite format 3\0"

# Files that SQLite keeps beside a database.
_COMPANIONS = ("-wal", "-shm", "-journal")


def live_file() -> Path:
    """The file of the site's database."""
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"]).resolve()


def dump(path: Path) -> None:
    """Write a compressed copy of the site's database to this file, while others may use the database."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".acquire-") as plain:
        _copy(live_file(), Path(plain.name))
        _check_whole(live_file(), Path(plain.name))
        with path.open("wb") as file, gzip.GzipFile("", "wb", compresslevel=3, fileobj=file) as packed:
            shutil.copyfileobj(plain, packed)


def is_backup(path: Path) -> bool:
    """Return whether the file may be a backup of a SQLite database, by its first bytes."""
    return _begins_with(path, _GZIP) or _begins_with(path, _PLAIN)


class SqliteFiles:
    """Databases as files beside the live one, with the name of the live file and their own."""

    def __init__(self) -> None:
        self._live = live_file()

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other restores out, and remove what a killed one has left."""
        # The folder is locked, so that no lock file stays behind.
        folder = os.open(self._live.parent, os.O_RDONLY)
        try:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BackupError(OTHER_RESTORE) from error
            self._remove_leftovers()
            yield
        finally:
            os.close(folder)

    def fill(self, path: Path, name: str) -> None:
        """Restore the backup to a new database of this name."""
        aside = self._file(name)
        aside.touch(mode=0o600)
        try:
            if _begins_with(path, _GZIP):
                _unpack(path, aside)
            else:
                # Release 1.0.0 did not compress its backups.
                _copy(path.resolve(), aside)
            _check_whole(path, aside)
        except BackupError as error:
            raise BackupError(f"{error} Try another backup.") from error

    def connection_settings(self, name: str) -> dict[str, Any]:
        """The settings of a connection to this database that differ from the live one's."""
        return {"NAME": str(self._file(name))}

    def remove(self, name: str) -> None:
        for end in ("", *_COMPANIONS):
            self._file(f"{name}{end}").unlink(missing_ok=True)

    def swap(self, name: str, kept: str) -> bool:
        """Make the named database the live one, and keep the live one as `kept`; return whether it was kept.

        Of the two steps, the first adds a second name to the live file and the second replaces the file under
        its first name. Nothing is lost between them.
        """
        connections[DEFAULT_DB_ALIAS].close()
        new = self._file(name)
        _close_whole(new).close()
        if not self._live.exists() or not self._live.stat().st_size:
            self._replace_live(new)
            return False
        _give_to_the_same(self._live, new)
        try:
            held = _close_whole(self._live)
        except sqlite3.DatabaseError as error:
            if not _is_damaged(error):
                # Its WAL may hold the newest moves, so it stays where it is.
                raise BackupError(f"{self._live} cannot be written ({error}).") from error
            self._keep_damaged(kept)
            self._replace_live(new)
            return True
        # Nobody can write into the old file until it has its new name.
        with contextlib.closing(held):
            _lock(held)
            self._keep_live(held, self._file(kept))
            self._replace_live(new)
        return True

    def kept(self) -> list[str]:
        """The names of the databases that restores have kept, the oldest first."""
        start = len(self._live.name) + 1
        found = [path.name[start:] for path in self._live.parent.glob(f"{self._live.name}.before_*")]
        named = sorted(name for name in found if re.fullmatch(r"before_\d{8}_\d{6}", name))
        return [name for name in named if not self._is_live(name)]

    def _file(self, name: str) -> Path:
        return self._live.with_name(f"{self._live.name}.{name}")

    def _keep_live(self, held: sqlite3.Connection, kept: Path) -> None:
        """Give the live file a second name, or a copy where the file system has no hard links."""
        try:
            os.link(self._live, kept)
        except OSError:
            draft = self._file("aside_copy")
            draft.touch(mode=0o600)
            # Opening the live file in any other way would drop the lock on it.
            with contextlib.closing(sqlite3.connect(draft)) as written:
                held.backup(written)
            flush_to_disk(draft)
            draft.replace(kept)
        flush_to_disk(kept.parent)

    def _keep_damaged(self, kept: str) -> None:
        """Keep a file that SQLite cannot open, with what lies beside it, which would spoil the new one."""
        os.link(self._live, self._file(kept))
        for end in _COMPANIONS:
            with contextlib.suppress(FileNotFoundError):
                self._live.with_name(f"{self._live.name}{end}").replace(self._file(f"{kept}{end}"))

    def _is_live(self, name: str) -> bool:
        """Return whether this is a second name of the live file, from a swap that was killed half-way."""
        return self._live.exists() and self._file(name).samefile(self._live)

    def _replace_live(self, new: Path) -> None:
        flush_to_disk(new)
        new.replace(self._live)
        flush_to_disk(self._live.parent)

    def _remove_leftovers(self) -> None:
        for path in self._live.parent.glob(f"{self._live.name}.aside_*"):
            path.unlink(missing_ok=True)
        for path in self._live.parent.glob(f"{self._live.name}.before_*"):
            if self._is_live(path.name.removeprefix(f"{self._live.name}.")):
                path.unlink()


def _begins_with(path: Path, head: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(head)) == head


def _copy(source: Path, target: Path) -> None:
    """Copy one database into the other while others may use both."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=20)) as read,
            contextlib.closing(sqlite3.connect(target, timeout=20)) as written,
        ):
            read.backup(written)
    except sqlite3.Error as error:
        raise _unreadable(source, error) from error


def _unpack(packed: Path, target: Path) -> None:
    """Write the database of a compressed backup to this file."""
    try:
        with gzip.open(packed) as source, target.open("wb") as plain:
            shutil.copyfileobj(source, plain)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _unreadable(packed, error) from error


def _check_whole(source: Path, copy: Path) -> None:
    """Raise BackupError, which names the source, unless its copy is sound."""
    try:
        with contextlib.closing(sqlite3.connect(copy, timeout=20)) as database:
            [trouble] = database.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise _unreadable(source, error) from error
    if trouble != "ok":
        raise BackupError(f"{source} is damaged ({trouble}).")


def _unreadable(source: Path, error: Exception) -> BackupError:
    return BackupError(f"{source} cannot be read whole ({error}).")


def _close_whole(path: Path) -> sqlite3.Connection:
    """Open a database as its only user, with everything written in a single file.

    SQLite leaves the WAL mode only for the last connection; the next connection of the site enters it again.
    """
    connection = sqlite3.connect(path, timeout=5, isolation_level=None)
    try:
        [mode] = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        if _is_busy(error):
            raise BackupError(IN_USE) from error
        raise
    if mode != "delete":
        connection.close()
        raise BackupError(IN_USE)
    return connection


def _lock(connection: sqlite3.Connection) -> None:
    """Keep all others from reading and writing."""
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise BackupError(IN_USE) from error


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _give_to_the_same(old: Path, new: Path) -> None:
    """Give the new file the owner and the rights of the old one, as root may restore for the site's user."""
    status = old.stat()
    with contextlib.suppress(PermissionError):
        os.chown(new, status.st_uid, status.st_gid)
    new.chmod(status.st_mode & 0o660)
