"""Files that workers and the sweeper write as long as they go round: a process that hangs stops doing it.

Unlike the signs of life in the database they are for this machine alone, and need nothing that may be away.
"""

import contextlib
import logging
import os
import tempfile
import time
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

BEAT_SECONDS = 10.0
# Several beats, and what a round of the sweeper may wait for the database.
STALE_SECONDS = 120.0


def beat(part: str) -> None:
    """Note that this process, which is a part of the site, goes round."""
    path = _path(part)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(os.getpid()))
    except OSError as error:  # the part works all the same
        logger.warning("The heartbeat could not be written: %s", error)


def age(part: str) -> float | None:
    """Return the seconds since the last heartbeat of this part on this machine; None without one.

    Negative if the clock was set back and the part has been silent since.
    """
    try:
        return time.time() - _path(part).stat().st_mtime
    except OSError:
        return None


def can_be_written() -> bool:
    """Return whether parts can note anything; on a disk that takes no new files they cannot."""
    folder: Path = settings.HEARTBEAT_DIR
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def has_ended(part: str) -> bool:
    """Return whether the process with the last heartbeat of this part is gone."""
    try:
        os.kill(int(_path(part).read_text()), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):  # it is another user's, or its file is just being written
        return False
    return False


def forget_ended(part: str) -> None:
    """Forget the last heartbeat of this part if its process is gone."""
    if has_ended(part):
        with contextlib.suppress(OSError):
            _path(part).unlink(missing_ok=True)


def _path(part: str) -> Path:
    folder: Path = settings.HEARTBEAT_DIR
    return folder / f"{part}.alive"
