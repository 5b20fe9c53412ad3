"""File permissions of the workbench's data, which holds password hashes and every hand."""

import contextlib
import stat
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS


def close_to_others() -> None:
    """Let only the owner use the data folder and the SQLite database of a workbench.

    The database is created here, because SQLite would let everybody read it. A folder that DATA_DIR names may
    be shared: it stays as it is.
    """
    if not settings.DEVELOPMENT:
        return
    folder, default = Path(settings.DATA_DIR), settings.BASE_DIR / "data"
    # The files may belong to somebody else, or the folder be read-only.
    with contextlib.suppress(OSError):
        if folder == default:
            _restrict(folder, stat.S_IRWXU)
        database = settings.DATABASES[DEFAULT_DB_ALIAS]
        if database["ENGINE"].endswith("sqlite3"):
            file = Path(database["NAME"])
            file.touch(mode=0o600)
            for end in ("", "-wal", "-shm"):
                _restrict(file.with_name(file.name + end), stat.S_IRUSR | stat.S_IWUSR)


def _restrict(path: Path, mode: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)
