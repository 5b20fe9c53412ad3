"""A SQLite database: copying it, restoring a backup beside it, and swapping the two."""

import contextlib
import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from acquire_site.backup.backup_error import IN_USE, OTHER_RESTORE, BackupError

HEAD = b"SQLite format 3\0"

# Files that SQLite keeps beside a database.
_COMPANIONS = ("-wal", "-shm", "-journal")


def live_file() -> Path:
    """The file of the site's database."""
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"]).resolve()


def copy(source: Path, target: Path) -> None:
    """Copy one database into the other while others may use both, and read the copy whole."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=20)) as read,
            contextlib.closing(sqlite3.connect(target, timeout=20)) as written,
        ):
            read.backup(written)
            [trouble] = written.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"{source} cannot be read whole ({error}).") from error
    if trouble != "ok":
        raise BackupError(f"{source} is damaged ({trouble}).")


class SqliteFiles:
    """Databases as files beside the live one, called like it with their own name at the end."""

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
            copy(path.resolve(), aside)
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
        except sqlite3.DatabaseError:
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
            _flush_to_disk(draft)
            draft.replace(kept)
        _flush_to_disk(kept.parent)

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
        _flush_to_disk(new)
        new.replace(self._live)
        _flush_to_disk(self._live.parent)

    def _remove_leftovers(self) -> None:
        for path in self._live.parent.glob(f"{self._live.name}.aside_*"):
            path.unlink(missing_ok=True)
        for path in self._live.parent.glob(f"{self._live.name}.before_*"):
            if self._is_live(path.name.removeprefix(f"{self._live.name}.")):
                path.unlink()


def _close_whole(path: Path) -> sqlite3.Connection:
    """Open a database alone, with all that was written in its one file.

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


def _give_to_the_same(old: Path, new: Path) -> None:
    """Let those who may use the old file use the new one; root may restore for the site's user."""
    status = old.stat()
    with contextlib.suppress(PermissionError):
        os.chown(new, status.st_uid, status.st_gid)
    new.chmod(status.st_mode & 0o660)


def _flush_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
