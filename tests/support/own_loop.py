"""Coroutines in tests that may stand beside an open browser."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_in_own_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run the coroutine to its end and return its result.

    It runs in a thread of its own: while a browser is open, the main thread counts as running an event loop.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
