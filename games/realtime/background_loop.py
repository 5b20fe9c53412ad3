"""An event loop in a thread of its own, for coroutines that synchronous code waits for.

It lives as long as the process, and with it the connections that were opened in it.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_starting = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_pid = 0


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run the coroutine in the background loop and return its result."""
    return asyncio.run_coroutine_threadsafe(coroutine, _running_loop()).result()


def _running_loop() -> asyncio.AbstractEventLoop:
    global _loop, _pid
    with _starting:
        # Threads do not survive a fork, and workers fork.
        if _loop is None or _pid != os.getpid():
            _loop, _pid = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, daemon=True, name="background loop").start()
        return _loop
