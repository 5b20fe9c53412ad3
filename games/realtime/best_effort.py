"""Send messages that may be lost without waiting long for Redis or failing a request."""

import logging
import time
from collections.abc import Callable
from typing import Any

logger = logging.getLogger(__name__)

# After Redis did not answer, this process sends nothing for this time.
REDIS_BACKOFF_SECONDS = 5.0

_silent_until = 0.0


def best_effort(send: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
    """Call `send` with these arguments and return whether it worked; log the error if not."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return False
    try:
        send(*args, **kwargs)
    except Exception as error:  # the move stands even if the message is lost
        _silent_until = time.monotonic() + REDIS_BACKOFF_SECONDS
        logger.warning("A tick or request was lost: %s: %s", type(error).__name__, error)
        return False
    return True
