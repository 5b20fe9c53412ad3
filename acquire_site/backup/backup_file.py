"""Backup files, made while the site is running.

SQLite copies itself, and gzip compresses the copy. For PostgreSQL this uses pg_dump, which must be as new as
the server. A backup holds every hand and every password hash, so only its owner may read it.
"""

import contextlib
import os
import time
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone

from acquire_site.backup import postgres_programs, sqlite_files
from acquire_site.backup.backup_error import BackupError
from acquire_site.backup.disk import flush_to_disk

# A draft of this age belongs to a backup that was killed.
_OLD_DRAFT_SECONDS = 24 * 3600


def is_sqlite() -> bool:
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def suffix() -> str:
    """The file name suffix of backups of this site's database."""
    return ".sqlite3.gz" if is_sqlite() else ".dump"


def folder() -> Path:
    """The folder of the backups that are named by their time."""
    return Path(settings.DATA_DIR) / "backups"


def new_path() -> Path:
    """The path of a new backup, named by the time."""
    return folder() / f"acquire-{timezone.now():%Y%m%d-%H%M%S}{suffix()}"


def backups() -> list[Path]:
    """The backups that are named by their time, the oldest first."""
    # Release 1.0.0 did not compress those of SQLite.
    kinds = {suffix(), suffix().removesuffix(".gz")}
    return sorted(path for kind in kinds for path in folder().glob(f"acquire-*[0-9]{kind}"))


def make(path: Path) -> None:
    """Back up the database to this file, and read the file once; no incomplete file gets this name."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    try:
        if is_sqlite():
            sqlite_files.dump(draft)
        else:
            postgres_programs.dump(draft)
        flush_to_disk(draft)
        draft.replace(path)
        flush_to_disk(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def remove_old(keep: int) -> list[Path]:
    """Remove all but the newest backups, and drafts of killed ones; return the removed backups."""
    for draft in folder().glob(".acquire-*"):
        with contextlib.suppress(FileNotFoundError):
            if draft.stat().st_mtime < time.time() - _OLD_DRAFT_SECONDS:
                draft.unlink()
    old = backups()[:-keep] if keep > 0 else []
    for path in old:
        path.unlink(missing_ok=True)
    return old


def check_kind(path: Path) -> None:
    """Raise BackupError for a file that is not a backup of this kind of database."""
    try:
        of_sqlite, of_postgres = sqlite_files.is_backup(path), postgres_programs.is_backup(path)
    except OSError as error:
        raise BackupError(f"The backup cannot be read: {error}") from error
    if not of_sqlite and not of_postgres:
        raise BackupError(f"{path} is not a file that manage.py backup has made. Name another one.")
    if of_sqlite != is_sqlite():
        raise BackupError(
            f"{path} is a backup of another kind of database than DATABASE_URL names. Name another one."
        )
