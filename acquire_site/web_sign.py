"""The sign of life of a web process."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from games.clocks import site_presence
from games.models import ProcessSign
from games.processes import refused_requests
from games.processes.pool_watch import PoolWatch
from games.processes.process_signs import Pulse, SigningThread, SignOfLife

_BEAT_SECONDS = 5.0
# A loop that has served no request for so long hangs.
_PULSE_SECONDS = 30.0
# The time that the database may take to remove the sign before the server ends.
_END_SECONDS = 1.0


async def show_life(scope: Any, receive: Any, send: Any) -> None:
    """Show from start to end of the server that it lives, as long as its event loop goes round.

    This is the ASGI application of the server's lifespan.
    """
    await receive()
    pulse = Pulse(_PULSE_SECONDS)
    refused = refused_requests.of_this_process
    sign = SignOfLife(ProcessSign.Kind.WEB, refused=refused, pool=PoolWatch())
    thread = SigningThread(sign, pulse, refused.noted)
    beating = [asyncio.create_task(_beat(pulse)), asyncio.create_task(_show_live_games())]
    if settings.SIGN_OF_LIFE_SECONDS:
        thread.start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for task in beating:
        task.cancel()
    if settings.SIGN_OF_LIFE_SECONDS:
        await asyncio.to_thread(thread.end, _END_SECONDS)
    await send({"type": "lifespan.shutdown.complete"})


async def _show_live_games() -> None:
    """Show several times a second that this process serves, which the clocks of live games depend on."""
    with ThreadPoolExecutor(1, "live sign") as thread:
        while settings.SIGN_OF_LIFE_SECONDS:
            await asyncio.get_running_loop().run_in_executor(thread, _show_web)
            await asyncio.sleep(site_presence.WEB_SIGN_SECONDS)


def _show_web() -> None:
    """Leave the sign with a connection that is not kept; clocks stand still while that fails."""
    with contextlib.suppress(DatabaseError):
        site_presence.show_web()
    with contextlib.suppress(DatabaseError):
        connection.close()


async def _beat(pulse: Pulse) -> None:
    while True:
        pulse.beat()
        await asyncio.sleep(_BEAT_SECONDS)
