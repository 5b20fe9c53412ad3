"""Files that workers and the sweeper touch as long as they go round: a process that hangs stops doing it."""

import logging
import time

from django.conf import settings

logger = logging.getLogger(__name__)

BEAT_SECONDS = 10.0
# Several beats and a slow round of the sweeper.
STALE_SECONDS = 120.0


def beat(part: str) -> None:
    """Note that this part of the site goes round."""
    path = settings.HEARTBEAT_DIR / f"{part}.alive"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:  # the part works all the same
        logger.warning("The heartbeat could not be written: %s", error)


def age(part: str) -> float | None:
    """Return the seconds since the last heartbeat of this part on this machine; None without one."""
    try:
        return time.time() - (settings.HEARTBEAT_DIR / f"{part}.alive").stat().st_mtime
    except OSError:
        return None
